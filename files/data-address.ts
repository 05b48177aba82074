/**
 * Parses addresses of data on other machines: a file of the Hugging Face hub, or an https address.
 * Pure.
 */
import { Failure } from '../core/failure.js';
import { percentDecoded } from '../core/server-url.js';

/**
 * The parsed address of a file of data to fetch: its URL, its file name, its text for messages,
 * and whether it is on the Hugging Face hub.
 */
export interface DataAddress {
  /** The address for messages, without its query, which may contain a secret. */
  shown: string;
  /** The https URL to request; http only for this machine. */
  url: string;
  /** Name of the file, without a folder. */
  file: string;
  /** Whether it is a file of the hub, the only server to which HF_TOKEN may be sent. */
  onHub: boolean;
}

const HUB = 'https://huggingface.co';
const HUB_FORM = 'hf:OWNER/NAME/PATH, with @REVISION after it for another revision than main';
const SHORT_FORM = 'flashrag:SET/SPLIT, such as flashrag:nq/test, or flashrag:CORPUS';

/** FlashRAG's collection on the hub: a folder for each data set, and a folder of corpora. */
const FLASHRAG = 'RUC-NLPIR/FlashRAG_datasets';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns whether a text has the form of an address (`hf:`, `flashrag:` or a scheme with `//`), so
 * that it is fetched instead of read as a file of this machine. The address may still be invalid.
 */
export function isDataAddress(named: string): boolean {
  return /^(?:hf|flashrag):/.test(named) || /^[a-z][a-z0-9+.-]+:\/\//i.test(named);
}

/**
 * Returns the parsed address of data to fetch: its URL, file name and text for messages, and
 * whether it is on the Hugging Face hub.
 *
 * @param named `hf:OWNER/NAME/PATH[@REVISION]`, `flashrag:SET/SPLIT`, `flashrag:CORPUS`,
 * `https://...`, or `http://...` of this machine.
 * @param endpoint URL of the hub, as in HF_ENDPOINT. @default https://huggingface.co
 * @throws Failure BadInput naming the expected form, or saying that a user name or password may
 * not be in the address.
 */
export function readDataAddress(named: string, endpoint = HUB): DataAddress {
  if (named.startsWith('hf:')) return onHub(named, named.slice('hf:'.length), endpoint);
  if (named.startsWith('flashrag:')) return onHub(named, flashragPath(named), endpoint);
  return onTheWeb(named);
}

/**
 * Returns the parsed address of a file on the hub, whose URL is
 * ENDPOINT/datasets/OWNER/NAME/resolve/REVISION/PATH.
 */
function onHub(named: string, path: string, endpoint: string): DataAddress {
  const [, place = '', revision = 'main'] = /^(.*?)(?:@([^@]*))?$/s.exec(path) ?? [];
  const [owner, name, ...inside] = place.split('/');
  const parts = [owner, name, ...inside, ...revision.split('/')];
  if (inside.length === 0 || parts.some(leadsElsewhere)) throw refused(named, HUB_FORM);
  const encoded = inside.map(encodeURIComponent).join('/');
  const repository = `datasets/${encodeURIComponent(owner ?? '')}/${encodeURIComponent(name ?? '')}`;
  const base = endpoint.replace(/\/+$/, '');
  return {
    shown: named,
    url: `${base}/${repository}/resolve/${encodeURIComponent(revision)}/${encoded}`,
    file: inside.at(-1) ?? '',
    onHub: true,
  };
}

/**
 * Returns the place on the hub that a `flashrag:` address stands for: nq/test.jsonl for "nq/test";
 * for a corpus, a zip file in the folder of the corpora.
 */
function flashragPath(named: string): string {
  const [, place = '', revision = ''] = /^flashrag:([\w./-]+?)(@[^@]+)?$/.exec(named) ?? [];
  const [set, split, ...more] = place.split('/');
  if (!set || split === '' || more.length > 0) throw refused(named, SHORT_FORM);
  const path = split === undefined ? `retrieval-corpus/${set}.zip` : `${set}/${split}.jsonl`;
  return `${FLASHRAG}/${path}${revision}`;
}

function onTheWeb(named: string): DataAddress {
  const url = URL.canParse(named) ? new URL(named) : undefined;
  const isPlainHere = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !isPlainHere)) {
    throw refused(named.replace(/\?.*/s, ''), 'an https address');
  }
  if (url.username || url.password) {
    throw new Failure(
      'BadInput',
      `${url.host}: the address contains a user name or password, and addresses are stored with the run. Fetch the file yourself, and name the file.`,
    );
  }
  url.hash = '';
  const name = url.pathname.split('/').at(-1) ?? '';
  const shown = `${url.origin}${url.pathname}${url.search ? '?...' : ''}`;
  return {
    shown,
    url: url.href,
    file: percentDecoded(name) ?? name,
    onHub: false,
  };
}

function leadsElsewhere(part: string | undefined): boolean {
  return part === undefined || part === '' || part === '.' || part === '..' || part.includes('\\');
}

function refused(named: string, form: string): Failure {
  return new Failure('BadInput', `"${named}" is not an address of data. Use ${form}.`);
}
