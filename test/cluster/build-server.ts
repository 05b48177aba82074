/** Builds the Temporal server, or finds it built: beside other tests, which leave it some time. */
import { homeFolder } from '../../stores/home.js';
import { obtainServerPrograms } from './server-programs.js';

console.log(await obtainServerPrograms(homeFolder(process.env), console.log));
