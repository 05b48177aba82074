/** Starts what was built. In a clone that may be missing or behind, and is said, never mended in silence. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'cli', 'main.js');
/** Every build writes it; what is compiled of unchanged sources, a build leaves as it was. */
const bundle = join(root, 'dist', 'workflow-bundle.js');
const isClone = existsSync(join(root, 'tsconfig.build.json'));
/** What no part of the command line is built from. */
const OTHERS = new Set(['bench', 'bin', 'dist', 'docs', 'node_modules', 'packages', 'test']);

function builtAt() {
  return statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newestSource() {
  const rooms = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !OTHERS.has(entry.name),
  );
  const files = rooms.flatMap(({ name }) =>
    readdirSync(join(root, name), { recursive: true }).map((file) => join(root, name, file)),
  );
  const times = files.filter((file) => file.endsWith('.ts')).map((file) => statSync(file).mtimeMs);
  return Math.max(0, ...times);
}

if (!existsSync(main)) {
  process.stderr.write(
    isClone
      ? `durable-rag has not been built: run "npm run build" in ${root}\n`
      : `This install of durable-rag is broken: ${main} is missing; install it again.\n`,
  );
  process.exitCode = 1;
} else {
  if (isClone && newestSource() > builtAt()) {
    process.stderr.write(
      `The sources are newer than what runs: "npm run build" in ${root} builds them.\n`,
    );
  }
  await import('../dist/cli/main.js');
}
