/** Build step: writes the workflow bundle, and beside it which SDK made it. */
import { writeFile } from 'node:fs/promises';
import { BUNDLE_FILE, bundleOurs, MADE_BY_FILE, sdkVersion } from './workflow-bundle.js';

const { code } = await bundleOurs();
await writeFile(BUNDLE_FILE, code);
await writeFile(MADE_BY_FILE, `${JSON.stringify({ sdk: sdkVersion() })}\n`);
