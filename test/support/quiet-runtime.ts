/** Keeps the SDK's log out of the tests' output, its native part's too. Import it before the first worker. */
import { Runtime } from '@temporalio/worker';

/** A process has one runtime; a test that puts its own in its place calls this afterwards. */
export function installQuietly(): void {
  Runtime.install({
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
}

installQuietly();
