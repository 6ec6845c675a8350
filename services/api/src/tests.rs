//! The document and the routes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::router::routes;

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

fn document() -> Value {
    serde_json::from_str(include_str!("../../../schemas/api/openapi.json")).expect("JSON")
}

#[test]
fn every_route_is_documented_and_every_operation_has_a_route() {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = METHODS.into_iter().filter(|method| item.get(*method).is_some());
        methods.map(move |method| (path.clone(), method))
    });
    let documented: BTreeSet<_> = operations.collect();
    let mut routed: BTreeSet<_> = routes()
        .into_iter()
        .map(|route| (format!("/api/o/{{org}}{}", route.path), route.method))
        .collect();
    routed.insert(("/api/openapi.json".to_owned(), "get"));
    assert_eq!(documented, routed);
}

#[test]
fn every_operation_is_named_once_and_says_how_it_may_be_refused() {
    let document = document();
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in METHODS.iter().filter_map(|method| item.get(*method)) {
            assert!(names.insert(operation["operationId"].to_string()), "{operation}");
            if path == "/api/openapi.json" {
                continue;
            }
            let mut statuses = vec!["400", "401", "403", "413", "503"];
            if path.matches('{').count() > 1 {
                statuses.push("404");
            }
            for status in statuses {
                assert!(operation["responses"][status].is_object(), "{path}: {status}");
            }
        }
    }
}
