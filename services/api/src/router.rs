//! The routes: a table, so that a test can hold it against the document.

use std::sync::Arc;

use app::Authenticator;
use app::administration::Administration;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use http_kit::BodyRoom;

use crate::guards::guarded;
use crate::{agents, drafts, groups, members, openapi, organization, processes, publish};

/// A method of an address, and who answers it.
pub(crate) struct Route {
    /// Under `/api/o/{org}`.
    pub(crate) path: &'static str,
    /// The method, as the document writes it.
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "the handler knows it, and does not tell the test that asks"
        )
    )]
    pub(crate) method: &'static str,
    handler: MethodRouter<Arc<Administration>>,
}

macro_rules! routes {
    ($($path:literal { $($method:ident $handler:path;)+ })+) => {
        vec![$($(Route {
            path: $path,
            method: stringify!($method),
            handler: $method($handler),
        },)+)+]
    };
}

/// Every route of an organization.
pub(crate) fn routes() -> Vec<Route> {
    let mut routes = directory();
    routes.extend(documents());
    routes
}

/// Who is who.
fn directory() -> Vec<Route> {
    routes! {
        "" {
            get organization::read;
        }
        "/members" {
            get members::list;
            post members::add;
        }
        "/members/{person}" {
            get members::read;
            patch members::change;
            delete members::remove;
        }
        "/groups" {
            get groups::list;
            post groups::create;
        }
        "/groups/{group}" {
            get groups::read;
            patch groups::rename;
            delete groups::remove;
        }
        "/groups/{group}/members/{person}" {
            put groups::put_member;
            delete groups::take_member;
        }
        "/agents" {
            get agents::list;
            post agents::create;
        }
        "/agents/{agent}" {
            get agents::read;
            patch agents::change;
            delete agents::remove;
        }
        "/agents/{agent}/tokens" {
            get agents::list_tokens;
            post agents::issue_token;
        }
        "/agents/{agent}/tokens/{token}" {
            delete agents::revoke_token;
        }
    }
}

/// What is done.
fn documents() -> Vec<Route> {
    routes! {
        "/drafts" {
            get drafts::list;
            post drafts::create;
        }
        "/drafts/{draft}" {
            get drafts::read;
            put drafts::replace;
            delete drafts::remove;
        }
        "/drafts/{draft}/publish" {
            post drafts::publish;
        }
        "/processes" {
            get processes::list;
        }
        "/processes/{process}" {
            get processes::read;
        }
        "/processes/{process}/versions" {
            get processes::list_versions;
        }
        "/processes/{process}/versions/{version}" {
            get processes::read_version;
        }
        "/processes/{process}/versions/{version}/source" {
            get processes::read_source;
        }
        "/processes/{process}/roles" {
            get processes::read_roles;
            put processes::map_roles;
        }
        "/processes/publish" {
            post publish::publish;
        }
    }
}

/// `/api/…`; `url` is the public address of this server, without a slash at its end, and `room` holds
/// bodies, those of other doors, too.
pub fn router(
    administration: Arc<Administration>,
    authenticator: Arc<dyn Authenticator>,
    url: &str,
    room: BodyRoom,
) -> Router {
    let organizations = routes().into_iter().fold(Router::new(), |router, route| {
        router.route(&format!("/api/o/{{org}}{}", route.path), route.handler)
    });
    // Its address is that of every process, and is spelled out for another method.
    let called_publish = "/api/o/{org}/processes/publish";
    let organizations = organizations
        .route(called_publish, get(processes::read))
        .with_state(administration)
        // The guard has a cap of its own.
        .layer(DefaultBodyLimit::disable());
    guarded(organizations, authenticator, room).route("/api/openapi.json", get(openapi::document(url)))
}
