/** Takes out of what was built what the client leads to: its modules and, further, its types. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const built = resolve(here, '..', '..', 'dist');
const out = join(here, 'dist');

/** A file and all that it imports by a path of its own. */
function reached(entry, fileOf, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  const imports = readFileSync(entry, 'utf8').matchAll(
    /(?:from|import\(?)\s*['"](?<path>\.[^'"]+)['"]/g,
  );
  for (const { groups } of imports) {
    const file = fileOf(resolve(dirname(entry), groups.path));
    if (!existsSync(file)) throw new Error(`${entry} imports ${groups.path}, which is not built.`);
    reached(file, fileOf, found);
  }
  return found;
}

rmSync(out, { recursive: true, force: true });
const files = [
  ...reached(join(built, 'client', 'index.js'), (path) => path),
  ...reached(join(built, 'client', 'index.d.ts'), (path) => path.replace(/\.js$/, '.d.ts')),
];
for (const file of files) cpSync(file, join(out, relative(built, file)));
