/** Build step: writes what `demo` and `dev` install of an optional part, pinned by hash. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPTIONAL_PARTS } from '../stores/optional-parts.js';
import { packageRoot } from '../stores/package-root.js';
import { FETCHED_PART, lockFolder } from './fetch-part.js';
import { partLock } from './part-lock.js';

const lockFile = JSON.parse(await readFile(join(packageRoot(), 'package-lock.json'), 'utf8'));
const { manifest, lock } = partLock(lockFile, OPTIONAL_PARTS[FETCHED_PART].packages);
await mkdir(lockFolder(), { recursive: true });
await writeFile(join(lockFolder(), 'package.json'), JSON.stringify(manifest));
await writeFile(join(lockFolder(), 'package-lock.json'), JSON.stringify(lock));
