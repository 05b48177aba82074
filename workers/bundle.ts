/** Build step: writes the module that exports all workflows, and the workflow bundle. */
import { writeFile } from 'node:fs/promises';
import { BUNDLE_FILE, bundleWorkflows, OUR_WORKFLOWS } from './workflow-bundle.js';
import { ourEntry } from './workflow-entry.js';

await writeFile(OUR_WORKFLOWS, ourEntry());
const { code } = await bundleWorkflows();
await writeFile(BUNDLE_FILE, code);
