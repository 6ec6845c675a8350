// The packages of infra/node, which infra/test installs below target/ and names in BATON_NODE_PACKAGES.

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const folder = process.env.BATON_NODE_PACKAGES;

/** A module of one of the packages. */
export const load = createRequire(path.join(folder, 'package.json'));

/** Runs a program of one of the packages: its exit status and what it wrote. */
export async function run(program, ...words) {
  const script = path.join(folder, 'node_modules/.bin', program);
  // What a program keeps for its user is kept beside the packages.
  const env = { ...process.env, HOME: folder };
  try {
    return { status: 0, ...(await promisify(execFile)(process.execPath, [script, ...words], { env })) };
  } catch ({ code, stdout, stderr }) {
    return { status: code, stdout, stderr };
  }
}
