//! Results written by hand from `tools.md`.

/// A run with a completed step that was done twice, an open approval and an escalated step.
pub(crate) const RUN_VIEW: &str = r#"{
  "run": {"id": "r_1", "process": "invoice-approval", "version": 3, "mode": "test", "state": "waiting",
    "outcome": null, "ended": null, "startedBy": "u_1", "startedAt": "2026-11-30T20:17:34.123Z",
    "updatedAt": "2026-11-30T20:18:00.000Z"},
  "data": {"inputs": {"amount": 12345678901234567890.10}, "steps": {
    "check": {"output": {"total": 1.50}, "evidence": [{"kind": "file", "ref": "f_1", "sha256": "00", "url": "u"}],
      "summary": "s", "next": "approve", "reason": "r", "by": "a_1", "at": "t",
      "check": {"verdict": "pass", "advisory": true, "model": "m", "at": "t",
        "questions": [{"ask": "?", "kind": "yes_no", "answer": 0.97, "result": "pass"}]},
      "history": [{"output": {}, "evidence": [], "summary": "first", "by": "a_1", "at": "t"}]},
    "sign": {"decision": "rejected", "note": "no", "by": "u_2", "at": "t", "history": []}}},
  "steps": [
    {"id": "check", "kind": "agent", "state": "done"},
    {"id": "sign", "kind": "approve", "state": "waiting", "due": "t", "overdue": false},
    {"id": "end", "kind": "finish", "state": null}],
  "workItems": [
    {"id": "w_1_1", "stepId": "sign", "kind": "approve", "text": "Sign it", "output": null, "evidence": null,
      "next": null, "handoff": null, "assignedTo": {"group": "g_1"}, "snapshot": "sha256:00", "due": null,
      "escalation": null, "mode": "test",
      "decide": {"tool": "decide", "decisions": ["approved", "rejected", "failed"],
        "arguments": {"runId": "r_1", "workItemId": "w_1_1", "snapshot": "sha256:00", "requestId": "<new UUID>"}}},
    {"id": "w_1_2", "stepId": "check", "kind": "agent", "text": "Check it", "output": {"total": "number"},
      "evidence": ["file"], "next": [{"to": "sign"}, {"to": "end", "when": "nothing is owed"}],
      "handoff": {"progress": "half", "returned": {"note": "n", "by": "u_1", "at": "t"}, "issues": ["i"]},
      "assignedTo": {"person": "mira@example.com"}, "snapshot": "sha256:00", "due": "t",
      "escalation": {"note": "help", "by": "a_1", "at": "t", "candidate": {"output": {"total": 1.0}}},
      "decide": {"tool": "decide", "decisions": ["returned", "completed", "failed"],
        "arguments": {"runId": "r_1", "workItemId": "w_1_2", "snapshot": "sha256:00", "requestId": "<new UUID>"}}}],
  "body": "Body\r\n"}"#;

/// A run that ended.
pub(crate) const RUN_VIEW_ENDED: &str = r#"{
  "run": {"id": "r_1", "process": "p", "version": 1, "mode": "live", "state": "ended", "outcome": "paid",
    "ended": {"by": "server", "at": "t", "note": null}, "startedBy": "a_1", "startedAt": "t", "updatedAt": "t"},
  "data": {"inputs": {}, "steps": {}},
  "steps": [{"id": "end", "kind": "finish", "state": "done"}],
  "workItems": [], "body": ""}"#;

pub(crate) const DESCRIBE: &str = r#"{"protocol": "agentprocess", "version": "core-2", "profiles": ["parallel-1"],
  "leaseSeconds": 600, "person": {"format": "email"}, "tools": ["describe"], "maxUploadBytes": 10485760,
  "limits": {"runDataBytes": 262144, "checkPass": 0.9, "checkFail": null, "checkConfidence": 0.8,
    "checkStateBytes": 65536}}"#;

pub(crate) const LIST_PROCESSES: &str = r#"{"nextCursor": null, "items": [
  {"name": "p", "description": "d", "version": 1, "inputs": {}},
  {"name": "q", "description": "d", "version": 2, "requires": {"systems": ["crm"]}, "inputs": {
    "amount": "number",
    "lines": {"type": "list", "optional": true, "items": {"type": "string", "one_of": ["a"]}}}}]}"#;

pub(crate) const GET_WORK: &str = r#"{"nextCursor": "c", "items": [
  {"runId": "r_1", "stepId": "s", "process": "p", "version": 1, "mode": "live", "readySince": "t", "due": null,
    "overdue": false, "handoff": null,
    "claim": {"tool": "claim", "arguments": {"runId": "r_1", "stepId": "s", "requestId": "<new UUID>"}}},
  {"runId": "r_1", "process": "p", "version": 1, "mode": "live", "workItem":
    {"id": "w_1_1", "stepId": "sign", "kind": "task", "text": "Do it", "output": {"total": {"type": "number"}},
      "evidence": null, "next": null, "handoff": {}, "assignedTo": {"group": "g_1"}, "snapshot": "s", "due": null,
      "escalation": null,
      "decide": {"tool": "decide", "decisions": ["completed", "failed"],
        "arguments": {"runId": "r_1", "workItemId": "w_1_1", "snapshot": "s", "requestId": "<new UUID>"}}}}]}"#;

pub(crate) const CLAIM: &str = r#"{"token": "t", "expiresAt": "t", "mode": "live",
  "step": {"id": "s", "instructions": "do", "output": {"total": "number"}, "evidence": ["link"],
    "next": [{"to": "a"}, {"to": "b", "when": "w"}]},
  "handoff": {"progress": "half"}, "body": "b", "data": {"inputs": {"amount": 1.10}, "steps": {}},
  "extensions": {"facts": {"rate": 0.30}}}"#;

pub(crate) const CLAIM_BARE: &str = r#"{"token": "t", "expiresAt": "t", "mode": "live",
  "step": {"id": "s", "instructions": "do", "output": null, "evidence": null, "next": null},
  "handoff": null, "body": "", "data": {"inputs": {}, "steps": {}}}"#;

pub(crate) const RENEW: &str = r#"{"token": "t", "expiresAt": "t"}"#;

pub(crate) const SENT_CONSUMED: &str = r#"{"consumedBy": "payment"}"#;

pub(crate) const SENT_HELD: &str = r#"{"consumedBy": null}"#;

pub(crate) const LIST_RUNS: &str = r#"{"nextCursor": "c", "items": [
  {"id": "r_1", "process": "p", "version": 2, "state": "ended", "outcome": "paid", "startedAt": "t", "updatedAt": "t",
    "inputs": {"amount": 12345678901234567890.10}},
  {"id": "r_2", "process": "p", "version": 1, "state": "active", "outcome": null, "startedAt": "t", "updatedAt": "t",
    "inputs": {}}]}"#;
