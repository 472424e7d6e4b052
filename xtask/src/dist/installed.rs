//! The wheel and the image, installed and used.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::system::System;
use super::trial::{Runner, unpacked};
use super::{folder, version};
use crate::setup::{self, is_there, pip_install};
use crate::shell::{self, output, root, target};

/// Pythons that the wheel is tried with, as far as they are there.
const PYTHONS: [&str; 6] = ["python3", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14"];
/// What a program of the package does first.
const SCRIPT: &str = "from turncoat import Board, Player; \
                      print(Player('greedy').choose(Board('f5d6c3')).move, Board('f5d6c3').legal_moves())";

/// The wheel in fresh environments of every Python that is there.
pub(super) fn wheel() -> Result<()> {
    let wheel = file(".whl")?;
    let mut tried = 0;
    for python in PYTHONS {
        let Ok(said) =
            output(Command::new(python).args(["-c", "import sys, ensurepip; print(sys.version_info[:2] >= (3, 10))"]))
        else {
            continue;
        };
        if said.trim() != "True" {
            continue;
        }
        let place = target().join("dist-try").join(python);
        shell::run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&place))?;
        shell::run(pip_install(&place.join("bin/python")).arg(&wheel))?;
        // pip has fetched numpy, which is not our time.
        let began = Instant::now();
        let done = output(Command::new(place.join("bin/python")).args(["-c", SCRIPT]).current_dir(&place))?;
        ensure!(done.starts_with("d3 ["), "the package plays another move: {done}");
        let words = vec![place.join("bin/turncoat").into_os_string()];
        let runner = Runner { title: format!("the wheel with {python}"), words };
        if tried == 0 {
            runner.serve(began)?;
            runner.use_it()?;
        } else {
            runner.self_check()?;
        }
        tried += 1;
    }
    ensure!(tried > 0, "there is no Python 3.10 or later with venv here");
    Ok(())
}

/// The sources of the Python package, built by pip alone.
pub(super) fn sdist() -> Result<()> {
    let sources = folder().join(format!("turncoat-{}.tar.gz", version()?));
    ensure!(sources.is_file(), "{} is not there: cargo xtask dist wheels builds it", sources.display());
    let place = target().join("dist-try").join("sdist");
    shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))?;
    shell::run(pip_install(&place.join("bin/python")).arg(&sources))?;
    let words = vec![place.join("bin/turncoat").into_os_string()];
    Runner { title: "the sources of the package".to_owned(), words }.use_it()
}

/// The image of the container file, built by buildah, which needs no daemon, and started as a container would be.
pub(super) fn image() -> Result<()> {
    if !is_there("buildah") {
        setup::install_packages(&["buildah"], "it builds the image")?;
    }
    let program = unpacked(&System::LINUX)?;
    let context = program.parent().context("the program lies in a folder")?;
    let buildah = |words: &[&str]| {
        let mut command = Command::new("buildah");
        command.args(["--storage-driver", "vfs", "--root"]).arg(target().join("dist-try/images")).args(words);
        command
    };
    let file = root().join("Containerfile");
    let mut build = buildah(&["build", "--isolation", "chroot", "--tag", "turncoat", "--file"]);
    shell::run(build.arg(file).arg(context))?;
    let container = output(&mut buildah(&["from", "--name", "turncoat-try", "turncoat"]))?;
    let used = use_image(&buildah, container.trim());
    shell::run(&mut buildah(&["rm", container.trim()]))?;
    used
}

fn use_image(buildah: &impl Fn(&[&str]) -> Command, container: &str) -> Result<()> {
    let place = PathBuf::from(output(&mut buildah(&["mount", container]))?.trim());
    let config = output(&mut buildah(&[
        "inspect",
        "--format",
        "{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}",
        container,
    ]))?;
    ensure!(
        config.trim() == "[/turncoat] [serve --addr 0.0.0.0:8064 --data /data]",
        "the image starts otherwise: {config}"
    );
    fs::create_dir_all(place.join("data"))?;
    let words = ["chroot".into(), place.clone().into_os_string(), "/turncoat".into()];
    let runner = Runner { title: "the image".to_owned(), words: words.to_vec() };
    runner.serve_in("/data", Instant::now())?;
    runner.use_it()
}

/// The one file of the release that ends like this.
fn file(end: &str) -> Result<PathBuf> {
    let is_it = |path: &Path| path.to_string_lossy().ends_with(end);
    let found = fs::read_dir(folder())?.filter_map(|entry| Some(entry.ok()?.path())).find(|path| is_it(path));
    found.with_context(|| format!("no {end} is in {}: cargo xtask dist wheels builds it", folder().display()))
}
