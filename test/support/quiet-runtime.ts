/** Keeps the SDK's log out of the tests' output, its native part's too. Import it before the first worker. */
import { Runtime } from '@temporalio/worker';

Runtime.install({
  logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
});
