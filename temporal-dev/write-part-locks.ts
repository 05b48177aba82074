/** Build step: writes the lock file of the packages that `demo` and `dev` install. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPTIONAL_PARTS } from '../stores/optional-parts.js';
import { packageRoot } from '../stores/package-root.js';
import { partLockFolder, SEARCH_ENGINE_PART } from './fetch-part.js';
import { partLock } from './part-lock.js';

const lockFile = JSON.parse(await readFile(join(packageRoot(), 'package-lock.json'), 'utf8'));
const { manifest, lock } = partLock(lockFile, OPTIONAL_PARTS[SEARCH_ENGINE_PART].packages);
await mkdir(partLockFolder(), { recursive: true });
await writeFile(join(partLockFolder(), 'package.json'), JSON.stringify(manifest));
await writeFile(join(partLockFolder(), 'package-lock.json'), JSON.stringify(lock));
