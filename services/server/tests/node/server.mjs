// One `baton dev` under test: started, waited for, ended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const READY_FILE = 'ready.json';
const READY_MILLIS_MAX = 120_000;

/** Its ready file, and `stop`. */
export async function start() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'baton-clients-'));
  const { DATABASE_URL, REDIS_URL, ...environment } = process.env;
  const appears = awaitFile(folder, READY_FILE);
  const child = spawn(
    process.env.BATON_BINARY,
    ['dev', '--ephemeral', '--port', '0', '--ready-file', path.join(folder, READY_FILE)],
    { env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let words = '';
  child.stderr.on('data', (text) => (words += text));
  const ended = once(child, 'exit');
  const failed = ended.then(([status]) => assert.fail(`it ended with ${status}: ${words}`));
  await Promise.race([appears, failed]);
  failed.catch(() => {});
  const ready = JSON.parse(await readFile(path.join(folder, READY_FILE), 'utf8'));
  const stop = async () => {
    child.kill('SIGTERM');
    const [status] = await ended;
    await rm(folder, { recursive: true });
    assert.equal(status, 0, words);
    assert.doesNotMatch(words, /panicked/);
  };
  return { ready, stop };
}

async function awaitFile(folder, name) {
  for await (const { filename } of watch(folder, { persistent: false, signal: AbortSignal.timeout(READY_MILLIS_MAX) })) {
    if (filename === name) return;
  }
}
