#!/usr/bin/env node
// Plain syntax and no static import, so that an old Node comes as far as the sentence.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `durable-rag needs Node 20.19 or newer, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  void import('./start.js');
}
