use contracts::list_processes::Arguments;

use crate::world::{World, agent};

const GOOD: &str = "---\nname: good\ndescription: Works.\nsteps:\n- {id: a, finish: b}\n---\nBody.\n";

#[tokio::test]
async fn a_version_that_no_longer_compiles_does_not_hide_the_others() {
    let world = World::new().await;
    world.publish("broken", "This compiled once.").await;
    world.publish("good", GOOD).await;
    let arguments = Arguments { cursor: None };
    let listed = app::list_processes(&world.app, &agent(), arguments).await;
    let listed = listed.expect("the store works");
    let names: Vec<_> = listed.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["good"]);
}
