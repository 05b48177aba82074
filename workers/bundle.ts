/** Build step: writes the workflow bundle. */
import { writeFile } from 'node:fs/promises';
import { BUNDLE_FILE, bundleWorkflows } from './workflow-bundle.js';

const { code } = await bundleWorkflows();
await writeFile(BUNDLE_FILE, code);
