//! The direction of imports: the declared dependencies of every crate against [`crate::table`].

use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::Finding;
use crate::table::{IMPURE, PURE, Row, TABLE};
use crate::tree::{file, root};

/// A crate of the workspace as cargo sees it.
#[derive(Debug)]
pub struct Package {
    /// The crate's name.
    pub name: String,
    /// Its folder, from the workspace root.
    pub folder: String,
    /// What its manifest names.
    pub dependencies: Vec<Dependency>,
}

/// A line of a manifest's dependencies.
#[derive(Debug)]
pub struct Dependency {
    /// The crate that is named.
    pub name: String,
    /// Where the dependency may be used.
    pub kind: Kind,
}

/// Where a dependency may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// In the crate's code, or in its build script.
    Code,
    /// In the crate's tests alone.
    Tests,
}

/// The workspace's crates, from `cargo metadata`.
pub static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(|| {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["metadata", "--no-deps", "--format-version", "1"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output();
    let output = output.unwrap_or_else(|error| panic!("cargo metadata cannot be run: {error}"));
    assert!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let folder_of_root = text(&metadata["workspace_root"]);
    list(&metadata["packages"])
        .map(|package| read_package(package, &folder_of_root))
        .collect()
});

/// Arrows that the table does not draw, and crates that it does not know.
pub fn arrows_outside_the_table(packages: &[Package]) -> Vec<Finding> {
    packages
        .iter()
        .flat_map(
            |package| match TABLE.iter().find(|row| row.name == package.name) {
                Some(row) => arrows_outside(row, package),
                None => vec![finding(
                    package,
                    "name",
                    "this crate has no row in infra/tidy/src/table.rs: give it one",
                )],
            },
        )
        .collect()
}

/// Outside crates that a pure crate names though they bring a runtime, a socket, a clock, dice or files.
pub fn impure_dependencies(packages: &[Package]) -> Vec<Finding> {
    let pure = packages
        .iter()
        .filter(|package| PURE.contains(&package.name.as_str()));
    pure.flat_map(|package| {
        let code = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Code);
        let impure = code.filter(|dependency| IMPURE.contains(&dependency.name.as_str()));
        impure.map(|dependency| {
            let mend = format!(
                "{} is pure and may not name {}: take the value as an argument",
                package.name, dependency.name
            );
            finding(package, &dependency.name, mend)
        })
    })
    .collect()
}

/// Crates whose folder has another name.
pub fn folders_with_another_name(packages: &[Package]) -> Vec<Finding> {
    let folder_name = |package: &Package| package.folder.rsplit('/').next().unwrap_or_default().to_owned();
    let others = packages
        .iter()
        .filter(|package| folder_name(package) != package.name);
    others
        .map(|package| {
            finding(
                package,
                "name",
                "a crate is called as its folder: rename one of them",
            )
        })
        .collect()
}

/// Rows of the table that import from a row below them.
pub fn rows_that_point_up(table: &[Row]) -> Vec<Finding> {
    let rank = |name: &str| table.iter().position(|row| row.name == name);
    let arrows = table
        .iter()
        .flat_map(|row| row.imports.iter().map(move |import| (row, *import)));
    let wrong =
        arrows.filter(|(row, import)| rank(import).is_none_or(|of_import| Some(of_import) >= rank(row.name)));
    wrong
        .map(|(row, import)| {
            let mend = format!(
                "{} imports {import}, which has no row above it: an arrow points down",
                row.name
            );
            Finding::new("infra/tidy/src/table.rs", 1, mend)
        })
        .collect()
}

fn arrows_outside(row: &Row, package: &Package) -> Vec<Finding> {
    let is_ours = |dependency: &&Dependency| TABLE.iter().any(|row| row.name == dependency.name);
    let is_allowed = |dependency: &Dependency| {
        let name = dependency.name.as_str();
        row.imports.contains(&name) || (dependency.kind == Kind::Tests && row.in_tests.contains(&name))
    };
    let wrong = package
        .dependencies
        .iter()
        .filter(is_ours)
        .filter(|dependency| !is_allowed(dependency));
    wrong.map(|dependency| {
        let mend = format!(
            "{} may not import {} (it may: {}). Put the code where it may, or draw the arrow in infra/tidy/src/table.rs and say why",
            package.name,
            dependency.name,
            row.imports.join(", "),
        );
        finding(package, &dependency.name, mend)
    }).collect()
}

fn finding(package: &Package, line_start: &str, mend: impl Into<String>) -> Finding {
    let path = format!("{}/Cargo.toml", package.folder);
    Finding::new(&path, file(&path).line_of(line_start), mend)
}

fn read_package(package: &Value, folder_of_root: &str) -> Package {
    let manifest = text(&package["manifest_path"]).replace('\\', "/");
    let folder = manifest
        .trim_start_matches(&folder_of_root.replace('\\', "/"))
        .trim_end_matches("/Cargo.toml");
    let read_dependency = |dependency: &Value| Dependency {
        name: text(&dependency["name"]),
        kind: if dependency["kind"] == "dev" {
            Kind::Tests
        } else {
            Kind::Code
        },
    };
    Package {
        name: text(&package["name"]),
        folder: folder.trim_start_matches('/').to_owned(),
        dependencies: list(&package["dependencies"]).map(read_dependency).collect(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
