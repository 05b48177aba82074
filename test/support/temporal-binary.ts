/** The program of the Temporal server, fetched by whoever needs it first. */
import { homeFolder } from '../../stores/home.js';
import { obtainTemporalBinary } from '../../temporal-dev/temporal-server.js';
import { quietReporter } from './quiet-reporter.js';

export async function temporalBinary(): Promise<string> {
  const { env } = process;
  const context = { env, home: homeFolder(env), reporter: quietReporter };
  return (await obtainTemporalBinary(context)).path;
}
