//! The page's files, built into the program.

use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::comments::without_comments;

/// Files by their paths below `page/`.
macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_bytes!(concat!("../page/", $path)) as &[u8])),*]
    };
}

/// All files of the page.
const FILES: &[(&str, &[u8])] = files![
    "analyse/accuracy.js",
    "analyse/archive.js",
    "analyse/bar.js",
    "analyse/collection.js",
    "analyse/compare.js",
    "analyse/controls.js",
    "analyse/drops.js",
    "analyse/editor.js",
    "analyse/engine.js",
    "analyse/explain.js",
    "analyse/explorer.js",
    "analyse/exports.js",
    "analyse/gif.js",
    "analyse/graph.js",
    "analyse/guess.js",
    "analyse/lesson.js",
    "analyse/link.js",
    "analyse/manygames.js",
    "analyse/mistakes.js",
    "analyse/model.js",
    "analyse/moves.js",
    "analyse/notes.js",
    "analyse/open.js",
    "analyse/reading.js",
    "analyse/reasons.js",
    "analyse/scores.js",
    "analyse/second.js",
    "analyse/share.js",
    "analyse/socket.js",
    "analyse/standalone.js",
    "analyse/state.js",
    "analyse/tools.js",
    "analyse/tree.js",
    "analyse/variant.js",
    "analyse/view.js",
    "app.js",
    "arena/boards.js",
    "arena/game.js",
    "arena/live.js",
    "arena/model.js",
    "arena/player.js",
    "arena/start.js",
    "arena/table.js",
    "arena/view.js",
    "base/backend.js",
    "base/chinese-study.js",
    "base/chinese.js",
    "base/client.js",
    "base/dom.js",
    "base/english-study.js",
    "base/english.js",
    "base/faults.js",
    "base/history.js",
    "base/japanese-study.js",
    "base/japanese.js",
    "base/memory.js",
    "base/notices.js",
    "base/preferences.js",
    "base/queue.js",
    "base/shortcuts.js",
    "base/speech.js",
    "base/state.js",
    "base/store.js",
    "base/toast.js",
    "base/words.js",
    "board/board.js",
    "board/describe.js",
    "board/flip.js",
    "board/heat.js",
    "board/line.js",
    "board/preview.js",
    "css/analyse.css",
    "css/arena.css",
    "css/base.css",
    "css/board.css",
    "css/lab.css",
    "css/layout.css",
    "css/learn.css",
    "css/play.css",
    "door.html",
    "door.js",
    "icon.svg",
    "index.html",
    "lab/curves.js",
    "lab/list.js",
    "lab/model.js",
    "lab/run.js",
    "lab/view.js",
    "learn/course.js",
    "learn/examples.js",
    "learn/knowledge.js",
    "learn/view.js",
    "play/advice.js",
    "play/cards.js",
    "play/choice.js",
    "play/clock.js",
    "play/finish.js",
    "play/keeping.js",
    "play/kept.js",
    "play/ladder.js",
    "play/levels.js",
    "play/model.js",
    "play/moves.js",
    "play/news.js",
    "play/opening.js",
    "play/returning.js",
    "play/settings.js",
    "play/share.js",
    "play/sound.js",
    "play/state.js",
    "play/ticking.js",
    "play/unfinished.js",
    "play/view.js",
];

/// The files as they are sent, without the comments of scripts.
static SENT: LazyLock<Vec<(&str, Bytes)>> = LazyLock::new(|| {
    let sent = |&(path, content): &(&'static str, &'static [u8])| match str::from_utf8(content) {
        Ok(script) if kind(path).starts_with("text/javascript") => (path, Bytes::from(without_comments(script))),
        _ => (path, Bytes::from_static(content)),
    };
    FILES.iter().map(sent).collect()
});

/// The page itself.
pub(crate) async fn index(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

/// The page that asks for the token.
pub(crate) async fn door(headers: HeaderMap) -> Response {
    answer("door.html", &headers)
}

/// One of its files.
pub(crate) async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    answer(&path, &headers)
}

fn answer(path: &str, headers: &HeaderMap) -> Response {
    let Some((_, content)) = SENT.iter().find(|(known, _)| *known == path) else {
        return (StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    let tag = tag(content);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag);
    // A new version of the program brings new files under the same names, so browsers ask whether theirs still holds.
    let caching = [(header::CACHE_CONTROL, "no-cache"), (header::ETAG, &tag)];
    if is_known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    ([(header::CONTENT_TYPE, kind(path))], caching, content.clone()).into_response()
}

/// The mark of a file's content.
fn tag(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    format!("\"{:016x}\"", hasher.finish())
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The most that the page may weigh in any one language, in bytes.
    const WHOLE_PAGE: usize = 400_000;
    const LANGUAGES: [&str; 3] = ["english", "chinese", "japanese"];

    /// The paths of all files below a folder.
    fn below(folder: &Path, before: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{before}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                paths.extend(below(&entry.path(), &format!("{path}/")));
            } else {
                paths.push(path);
            }
        }
        paths
    }

    #[test]
    fn every_file_of_the_page_is_served_and_they_weigh_little() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut there = below(&folder, "");
        there.sort();
        assert_eq!(there, FILES.iter().map(|(path, _)| *path).collect::<Vec<_>>());
        let weight = |of: &dyn Fn(&str) -> bool| -> usize {
            SENT.iter().filter(|(path, _)| of(path)).map(|(_, content)| content.len()).sum()
        };
        let is_in = |language: &str, path: &str| path.starts_with(&format!("base/{language}"));
        let code = weight(&|path| !LANGUAGES.iter().any(|language| is_in(language, path)));
        for language in LANGUAGES {
            let whole = code + weight(&|path| is_in(language, path));
            assert!(whole < WHOLE_PAGE, "{whole} bytes in {language}");
        }
    }
}
