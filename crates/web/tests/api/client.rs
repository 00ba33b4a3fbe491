//! A client that believes nothing: whatever is answered must be as the OpenAPI file says.

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tesuji_web::{OPENAPI, Settings, State, app};
use tower::ServiceExt;

/// The description.
pub(crate) static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(OPENAPI).unwrap());

/// Someone who asks.
#[derive(Clone)]
pub(crate) struct Client {
    router: Router,
}

/// What was answered.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) kind: String,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The sentence of an error.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no error: {}", self.text)).to_owned()
    }

    /// Server-sent events: name and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let event = |block: &str| {
            let line = |prefix: &str| block.lines().find_map(|line| line.strip_prefix(prefix)).map(str::trim);
            Some((line("event:")?.to_owned(), serde_json::from_str(line("data:")?).unwrap()))
        };
        self.text.split("\n\n").filter_map(event).collect()
    }
}

impl Client {
    pub(crate) fn new(settings: Settings) -> Client {
        Client { router: app(State::new(settings)) }
    }

    pub(crate) fn usual() -> Client {
        Client::new(Settings::default())
    }

    /// Asks anything, and checks the answer.
    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().as_str().to_lowercase(), request.uri().path().to_owned());
        let answer = self.ask_unchecked(request).await;
        check(&method, &path, &answer);
        answer
    }

    async fn ask_unchecked(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let kind =
            response.headers().get("content-type").map_or("", |kind| kind.to_str().unwrap()).to_owned();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Answer { status, kind, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    /// Asks with a body of JSON, or none.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        self.ask(request(method, path, body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body)).await
    }

    /// Begins a game and gives its path.
    pub(crate) async fn begin(&self, body: Value) -> String {
        let answer = self.post("/api/games", body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        format!("/api/games/{}", answer.json()["id"].as_str().unwrap())
    }

    /// Plays a move that stands, and gives the game.
    pub(crate) async fn play(&self, path: &str, mv: &str) -> Value {
        let answer = self.post(&format!("{path}/moves"), json!({ "move": mv })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.json()["refused"], Value::Null, "{mv}");
        answer.json()["game"].clone()
    }
}

pub(crate) fn request(method: &str, path: &str, body: Option<Value>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("host", "localhost");
    match body {
        None => request.body(Body::empty()).unwrap(),
        Some(body) => {
            request.header("content-type", "application/json").body(Body::from(body.to_string())).unwrap()
        }
    }
}

/// The template of the description that a path fits, and what it says of a method.
fn described(method: &str, path: &str) -> Option<&'static Value> {
    let fits = |template: &str| {
        let (parts, asked): (Vec<&str>, Vec<&str>) =
            (template.split('/').collect(), path.split('/').collect());
        parts.len() == asked.len()
            && parts.iter().zip(&asked).all(|(part, asked)| part.starts_with('{') || part == asked)
    };
    let paths = DESCRIPTION["paths"].as_object()?;
    let (_, operations) = paths.iter().find(|(template, _)| fits(template))?;
    operations.get(method)
}

/// Whether an answer is as the description says.
fn check(method: &str, path: &str, answer: &Answer) {
    let status = answer.status.as_str();
    if answer.status.is_client_error() {
        assert!(answer.kind.starts_with("application/json"), "{method} {path}: {status} {}", answer.kind);
        validate("Error", &answer.json());
    }
    assert!(!answer.status.is_server_error(), "{method} {path}: {status} {}", answer.text);
    let Some(operation) = described(method, path) else { return };
    let response = &operation["responses"][status];
    assert!(response.is_object(), "{method} {path}: {status} is not described: {}", answer.text);
    let Some((kind, content)) = response["content"].as_object().and_then(|all| all.iter().next()) else {
        assert!(answer.text.is_empty(), "{method} {path}: a body where none is described");
        return;
    };
    assert!(answer.kind.starts_with(kind.as_str()), "{method} {path}: {} for {kind}", answer.kind);
    match kind.as_str() {
        "application/json" => validate_with(&content["schema"], &answer.json()),
        "text/event-stream" => answer.events().iter().for_each(|(name, data)| check_event(path, name, data)),
        _ => {}
    }
}

/// Events have schemas by their names.
fn check_event(path: &str, name: &str, data: &Value) {
    let schema = match (name, path.ends_with("bandits")) {
        ("begun", _) => "Begun",
        ("progress", false) => "ProgressEvent",
        ("progress", true) => "BanditProgress",
        ("round", _) => "RoundEvent",
        ("decided", _) => "Decided",
        ("game", _) => "Game",
        ("rows", _) => "BanditRows",
        ("counts", _) => "Live",
        ("error", _) => "Error",
        ("end", _) => return assert_eq!(*data, json!({})),
        _ => panic!("{path}: event {name} is not described"),
    };
    validate(schema, data);
}

/// Whether a value is as a named schema says.
pub(crate) fn validate(name: &str, value: &Value) {
    validate_with(&json!({ "$ref": format!("#/components/schemas/{name}") }), value);
}

fn validate_with(schema: &Value, value: &Value) {
    let mut faults = Vec::new();
    crate::schema::faults(schema, value, "", &mut faults);
    assert!(faults.is_empty(), "{}\nin {value}", faults.join("\n"));
}
