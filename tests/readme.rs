//! The session on the first screen of the README is what the program prints.
#![cfg(feature = "cli")]

#[test]
fn the_session_of_the_readme_runs_as_shown() {
    trycmd::TestCases::new()
        .register_bin("sowbase", assert_cmd::cargo::cargo_bin!("sowbase").to_path_buf())
        .case("README.md");
}
