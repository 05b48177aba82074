/** Build step: writes the workflow bundle. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { BUNDLE_FILE } from './workflow-bundle.js';

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
await writeFile(BUNDLE_FILE, code);
