/** A Temporal server that dies with this process, so that killing one kills both. */
import { join } from 'node:path';
import { homeFolder } from '../../dist/stores/home.js';
import {
  obtainTemporalBinary,
  startTemporalServer,
} from '../../dist/temporal-dev/temporal-server.js';

const [folder, port] = process.argv.slice(2);
const nothing = () => {};
const reporter = {
  part: nothing,
  warn: nothing,
  progress: () => ({ update: nothing, finish: nothing }),
};
const { path: binary } = await obtainTemporalBinary({
  env: process.env,
  home: homeFolder(process.env),
  reporter,
});
await startTemporalServer({
  binary,
  port: Number(port),
  uiPort: null,
  dbFilename: join(folder, 'temporal.db'),
  logFile: join(folder, 'temporal.log'),
});
process.send?.('ready');
