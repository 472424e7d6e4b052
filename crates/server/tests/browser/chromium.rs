//! Pages of Chromium, driven by its debugging protocol.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tungstenite::Message;

use super::process::{self, Connection};

/// Longer than anything takes here; only a hang is that long.
const HANG: Duration = Duration::from_mins(2);
/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// Takes aim at an element: `aim.hit` says what became of the next press. One that misses it reaches nobody.
const AIM: &str = "(element) => {
  const isNew = !window.aim;
  const aim = window.aim ??= {};
  Object.assign(aim, { element, hit: 'nothing', end: '' });
  if (!isNew) return;
  for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(kind, (event) => {
    if (!aim.element || !event.isTrusted) return;
    const isHit = aim.element.contains(event.target);
    if (kind === 'pointerdown') aim.hit = isHit ? 'pressed' : 'missed';
    if (aim.hit === 'missed') return event.preventDefault(), event.stopImmediatePropagation();
    if (kind === 'mouseup') aim.end = event.target.outerHTML?.slice(0, 200) ?? String(event.target);
    if (kind === 'click' && isHit) aim.hit = 'clicked', aim.element = null;
  }, { capture: true });
}";

/// The source of axe-core, which looks for what shuts people out.
pub(crate) fn axe() -> String {
    let installed = "../../target/page-tools/node_modules/axe-core/axe.min.js";
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join(installed);
    let path = env::var_os("TURNCOAT_AXE").map_or(installed, PathBuf::from);
    fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("no axe-core in {}: `cargo xtask setup` installs it", path.display()))
}

/// A page in a browser context of its own: no other page shares its storage, cache or downloads.
pub(crate) struct Page {
    socket: Connection,
    /// The browser context, which ends with the connection.
    context: String,
    /// The session with the tab that is looked at.
    session: String,
    calls: u64,
    /// The media features that are emulated.
    media: Map<String, Value>,
    /// The folder for downloads.
    folder: TempDir,
    /// What went wrong in the page.
    faults: Vec<String>,
}

impl Page {
    /// Opens an address; `None` if the browser's tests are left out.
    pub(crate) fn open(address: &str) -> Option<Self> {
        let mut page = Self {
            socket: process::connect()?,
            context: String::new(),
            session: String::new(),
            calls: 0,
            // Animations cost most of what drawing costs; the tests of motion ask for it.
            media: Map::from_iter([("prefers-reduced-motion".to_owned(), json!("reduce"))]),
            folder: tempfile::tempdir().unwrap(),
            faults: Vec::new(),
        };
        let context = page.call("Target.createBrowserContext", &json!({"disposeOnDetach": true}));
        context["browserContextId"].as_str().unwrap().clone_into(&mut page.context);
        page.open_tab(address);
        Some(page)
    }

    /// Asks the browser, rather than its tab.
    fn call_browser(&mut self, method: &str, params: &Value) -> Value {
        let session = std::mem::take(&mut self.session);
        let answer = self.call(method, params);
        self.session = session;
        answer
    }

    /// Asks the tab; before there is one, the browser.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.calls += 1;
        let mut question = json!({"id": self.calls, "method": method, "params": params});
        if !self.session.is_empty() {
            question["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(question.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else {
                continue;
            };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.calls {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            let params = &answer["params"];
            match answer["method"].as_str() {
                Some("Runtime.exceptionThrown") => self.faults.push(params.to_string()),
                // What the page asks for and is refused is logged too; the page deals with that.
                Some("Log.entryAdded")
                    if params["entry"]["level"] == "error" && params["entry"]["source"] != "network" =>
                {
                    self.faults.push(params.to_string());
                }
                _ => {}
            }
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", &params);
        assert!(result["exceptionDetails"].is_null(), "{expression:.2000}: {result}");
        result["result"]["value"].take()
    }

    /// The text of an element.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        text.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            if began.elapsed() > HANG {
                let shown = self.text("#view");
                panic!("never: {expression}\n{:?}\n{shown}", self.faults);
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Goes to an address, and waits until the page there is made.
    pub(crate) fn go(&mut self, address: &str) {
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.call("Page.navigate", &json!({"url": address}));
        self.until("document.querySelector('#view')?.firstChild");
    }

    /// Opens the address that is shown once more. (An evaluated `location.reload()` may end before it is answered.)
    pub(crate) fn reload(&mut self) {
        let address = self.value("location.href");
        self.go(address.as_str().unwrap());
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Asks for the dark or the light look, as a system does.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        self.media.insert("prefers-color-scheme".to_owned(), json!(scheme));
        self.emulate_media();
    }

    /// Lets things move from the next document on.
    pub(crate) fn allow_motion(&mut self) {
        self.media.remove("prefers-reduced-motion");
        self.emulate_media();
    }

    fn emulate_media(&mut self) {
        let features: Vec<Value> =
            self.media.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.call("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Clicks the middle of an element with the mouse, once it can be clicked: enabled, at rest, and not covered.
    pub(crate) fn click(&mut self, selector: &str) {
        self.hold(selector, Duration::ZERO);
    }

    /// Clicks the middle of an element with a button that is held down for a while. The element may move between the look
    /// and the press, on a slow machine above all: a press that hits something else, or nothing, does nothing and is made
    /// again. A press that hits the element and makes no click of it is a fault of the page.
    pub(crate) fn hold(&mut self, selector: &str, held: Duration) {
        let began = Instant::now();
        loop {
            let place = self.at_rest(selector);
            self.value(&format!("({AIM})(document.querySelector({selector:?}))"));
            for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
                if kind == "mouseReleased" {
                    thread::sleep(held);
                }
                let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
                self.call("Input.dispatchMouseEvent", &event);
            }
            // A page that the click has left for another one has no aim any more.
            match self.value("window.aim?.hit ?? 'left'").as_str() {
                Some("clicked" | "left") => return,
                Some("pressed") => {
                    let end = self.value("window.aim.end");
                    panic!("pressed, but not clicked: {selector}; released over {end}");
                }
                _ => assert!(began.elapsed() < HANG, "never hit: {selector}"),
            }
        }
    }

    /// Chooses a file for a field, as the dialog of the system would.
    pub(crate) fn choose_file(&mut self, selector: &str, file: &Path) {
        let root = self.call("DOM.getDocument", &json!({}))["root"]["nodeId"].take();
        let field = json!({"nodeId": root, "selector": selector});
        let field = self.call("DOM.querySelector", &field)["nodeId"].take();
        let files = json!({"nodeId": field, "files": [file]});
        self.call("DOM.setFileInputFiles", &files);
    }

    /// Has a script run before those of every page that is gone to from now on.
    pub(crate) fn run_first(&mut self, script: &str) {
        let script = json!({"source": script});
        self.call("Page.addScriptToEvaluateOnNewDocument", &script);
    }

    /// The middle of an element that stays where it is from one frame to the next.
    pub(crate) fn at_rest(&mut self, selector: &str) -> Value {
        let began = Instant::now();
        loop {
            let place = self.value(&format!(
                "(async () => {{ const it = document.querySelector({selector:?}); \
                 if (!it || it.disabled) return null; \
                 it.scrollIntoView({{block: 'nearest', behavior: 'instant'}}); \
                 const box = () => {{ const box = it.getBoundingClientRect(); \
                   return [box.x + box.width / 2, box.y + box.height / 2]; }}; \
                 const before = box(); \
                 await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); \
                 const [x, y] = box(); \
                 const hit = document.elementFromPoint(x, y); \
                 return before[0] === x && before[1] === y && hit && it.contains(hit) ? [x, y] : null; }})()"
            ));
            if !place.is_null() {
                return place;
            }
            assert!(began.elapsed() < HANG, "never at rest: {selector}");
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Stops the page's clock from its next document on; `advance` is all that moves it.
    pub(crate) fn stop_clock(&mut self) {
        let source = "Date.now = () => Number(localStorage.getItem('test-clock') ?? 1e12)";
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": source}));
    }

    /// Lets a stopped clock go on.
    pub(crate) fn advance(&mut self, time: Duration) {
        let milliseconds = time.as_millis();
        self.value(&format!("localStorage.setItem('test-clock', String(Date.now() + {milliseconds}))"));
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ if key.len() == 1 => key.as_bytes()[0].to_ascii_uppercase(),
            _ => panic!("the key {key} is not known here"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        let down = json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
        self.call("Input.dispatchKeyEvent", &down);
        let up = json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", &up);
    }

    /// Chooses from a list, as its own menu would.
    pub(crate) fn choose(&mut self, selector: &str, value: &str) {
        self.until(&format!("document.querySelector({selector:?})"));
        self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.value = {value:?}; \
             it.dispatchEvent(new Event('change')); }})()"
        ));
    }

    /// Lets downloads happen, and says where they lie.
    pub(crate) fn downloads(&mut self) -> std::path::PathBuf {
        let folder = self.folder.path().join("downloads");
        fs::create_dir_all(&folder).unwrap();
        let allow = json!({"behavior": "allow", "downloadPath": folder, "browserContextId": self.context});
        self.call_browser("Browser.setDownloadBehavior", &allow);
        folder
    }

    /// Takes a picture for the documentation, if pictures are wanted.
    pub(crate) fn picture(&mut self, name: &str) {
        let Ok(folder) = env::var("TURNCOAT_SCREENSHOTS") else {
            return;
        };
        self.value("scrollTo(0, 0)");
        // What moves has come to rest.
        thread::sleep(Duration::from_millis(900));
        let picture = self.call("Page.captureScreenshot", &json!({}));
        let bytes = from_base64(picture["data"].as_str().unwrap());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// Opens another tab and continues there; returns the tab that was left.
    pub(crate) fn open_tab(&mut self, address: &str) -> String {
        let target = json!({"url": "about:blank", "browserContextId": self.context});
        let target = self.call_browser("Target.createTarget", &target);
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call_browser("Target.attachToTarget", &attach);
        let left = self.switch_to(session["sessionId"].as_str().unwrap());
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.call(domain, &json!({}));
        }
        // The pages of other tests do not take the focus away.
        self.call("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        self.emulate_media();
        self.resize(1280, 860);
        self.go(address);
        left
    }

    /// Continues in another tab; returns the one that was left.
    pub(crate) fn switch_to(&mut self, tab: &str) -> String {
        let left = std::mem::replace(&mut self.session, tab.to_owned());
        self.call("Page.bringToFront", &json!({}));
        left
    }

    /// Checks that nothing went wrong in the page.
    pub(crate) fn is_well(&mut self) {
        self.value("0");
        assert!(self.faults.is_empty(), "{:?}", self.faults);
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().take_while(|&c| c != b'=').map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for four in digits.chunks(4) {
        let word = four.iter().fold(0u32, |word, &d| word << 6 | u32::from(d)) << (6 * (4 - four.len()));
        bytes.extend(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}
