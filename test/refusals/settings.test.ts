/** Variables, config files and parts of a program that cannot be, each with the whole sentence. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { loadConfig } from '../../cli/config-file.js';
import { defineMetric } from '../../core/metric.js';
import { chosenMetrics, metricRegistry } from '../../evaluation/metrics/registry.js';
import { httpRetriever } from '../../retrieval/http/http-retriever.js';
import { readKeyring } from '../../stores/encryption/keyring.js';
import { parseStoreUrl } from '../../stores/store-url.js';
import { readConfig } from '../../workers/config.js';
import { temporaryFolder } from '../support/folder.js';
import { refusals } from '../support/refusals.js';

describe('an address of the store', () => {
  const todo = 'Set DURABLE_RAG_STORE to a folder, a redis:// or a postgres:// URL.';
  const encoded =
    "The URL of the store's folder cannot be read: write % in its path as %25, or give the path alone.";
  refusals(parseStoreUrl, [
    ['file:/a%zz', `${encoded} ${todo}`],
    ['lmdb:///var/100%', `${encoded} ${todo}`],
    ['file:%20', `The store has no folder. ${todo}`],
    ['mongodb://there', `There is no store for mongodb URLs. ${todo}`],
  ]);
});

describe('a variable of the environment', () => {
  refusals(
    (name: string, value: string) => readConfig({ [name]: value }),
    [
      [
        'DURABLE_RAG_MODL',
        'm',
        'DURABLE_RAG_MODL: there is no such variable; did you mean DURABLE_RAG_MODEL?',
      ],
      [
        'TEMPORAL_ADRESS',
        'a',
        'TEMPORAL_ADRESS: there is no such variable; did you mean TEMPORAL_ADDRESS?',
      ],
      [
        'DURABLE_RAG_DEPLOYMENT',
        'Staging',
        'DURABLE_RAG_DEPLOYMENT must be lower-case letters and digits, with single "-" between, at most 20.',
      ],
      [
        'DURABLE_RAG_DEPLOYMENT',
        'a--b',
        'DURABLE_RAG_DEPLOYMENT must be lower-case letters and digits, with single "-" between, at most 20.',
      ],
      [
        'DURABLE_RAG_RERANK_URL',
        'http://there/v1',
        'DURABLE_RAG_RERANK_MODEL is not set, and DURABLE_RAG_RERANK_URL is; set both for a cross-encoder.',
      ],
      [
        'DURABLE_RAG_RERANK_MODEL',
        'bge',
        'DURABLE_RAG_RERANK_URL is not set, and DURABLE_RAG_RERANK_MODEL is; set both for a cross-encoder.',
      ],
      [
        'DURABLE_RAG_RERANK_URL',
        'localhost',
        'DURABLE_RAG_RERANK_URL must be an http or https URL.',
      ],
      [
        'OPENAI_EMBEDDING_BASE_URL',
        'localhost',
        'OPENAI_EMBEDDING_BASE_URL must be an http or https URL.',
      ],
      ['OPENAI_BASE_URL', 'localhost:8080', 'OPENAI_BASE_URL must be an http or https URL.'],
      ['OPENAI_BASE_URL', 'ftp://there', 'OPENAI_BASE_URL must be an http or https URL.'],
      [
        'OPENAI_BASE_URL',
        'http://me:12/3@there/v1',
        'OPENAI_BASE_URL must be an http or https URL.',
      ],
      [
        'DURABLE_RAG_CONCURRENCY',
        'many',
        'DURABLE_RAG_CONCURRENCY (--concurrency) must be a whole number, at least 1, or auto.',
      ],
      [
        'DURABLE_RAG_CONCURRENCY',
        '0',
        'DURABLE_RAG_CONCURRENCY (--concurrency) must be a whole number, at least 1, or auto.',
      ],
      [
        'DURABLE_RAG_CONCURRENCY',
        '1.5',
        'DURABLE_RAG_CONCURRENCY (--concurrency) must be a whole number, at least 1, or auto.',
      ],
      [
        'DURABLE_RAG_VERSIONED',
        'yes',
        'DURABLE_RAG_VERSIONED (--versioned) must be one of true, false.',
      ],
      [
        'DURABLE_RAG_ONLY',
        'models,searches',
        'DURABLE_RAG_ONLY (--only) must be one or more of questions, models, retrieval, separated by commas.',
      ],
      [
        'DURABLE_RAG_MAX_RETRY_AFTER',
        '-1',
        'DURABLE_RAG_MAX_RETRY_AFTER must be a number of seconds, at least 0.',
      ],
      [
        'DURABLE_RAG_MAX_RETRY_AFTER',
        '1m',
        'DURABLE_RAG_MAX_RETRY_AFTER must be a number of seconds, at least 0.',
      ],
      [
        'DURABLE_RAG_EXTRA_BODY',
        '{"enable_thinking":',
        'DURABLE_RAG_EXTRA_BODY must be a JSON object, such as {"enable_thinking":false}.',
      ],
      [
        'DURABLE_RAG_EXTRA_BODY',
        '[1]',
        'DURABLE_RAG_EXTRA_BODY must be a JSON object, such as {"enable_thinking":false}.',
      ],
      [
        'DURABLE_RAG_EXTRA_BODY',
        '{"temperature":1}',
        'Bad input. DURABLE_RAG_EXTRA_BODY.temperature: is decided by durable-rag; set temperature in models',
      ],
      [
        'DURABLE_RAG_EXTRA_BODY',
        '{"api_key":"x"}',
        'Bad input. DURABLE_RAG_EXTRA_BODY.api_key: looks like a secret, which would be stored in histories and manifests; send it as a header (openAiModel, see docs/adapters.md)',
      ],
    ],
  );
  refusals(
    (env: NodeJS.ProcessEnv) => readConfig(env),
    [
      [
        { OPENAI_BASE_URL: 'secret', DURABLE_RAG_CONCURRENCY: '0' },
        'OPENAI_BASE_URL must be an http or https URL; DURABLE_RAG_CONCURRENCY (--concurrency) must be a whole number, at least 1, or auto.',
      ],
      [
        { DURABLE_RAG_EXTRA_BODY: '{"note":"of tango-seven"}', OPENAI_API_KEY: 'tango-seven' },
        'Bad input. DURABLE_RAG_EXTRA_BODY.note: contains a configured secret, which would be stored in histories and manifests; leave it out',
      ],
    ],
  );
});

describe('keys of encryption, which are not shown', () => {
  const key = `${'A'.repeat(43)}=`;
  refusals(readKeyring, [
    [
      key,
      'DURABLE_RAG_ENCRYPTION_KEYS: key 1 is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [
      `a:${'A'.repeat(20)}`,
      'DURABLE_RAG_ENCRYPTION_KEYS: key 1 is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [
      'a:',
      'DURABLE_RAG_ENCRYPTION_KEYS: key 1 is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [
      `a b:${key}`,
      'DURABLE_RAG_ENCRYPTION_KEYS: key 1 is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [
      `a:${key},`,
      'DURABLE_RAG_ENCRYPTION_KEYS: key 2 is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [`a:${key},a:${key}`, 'DURABLE_RAG_ENCRYPTION_KEYS: two keys are called a.'],
  ]);
});

describe('a config file', () => {
  async function loading(text: string) {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'durable-rag.config.ts'), text);
    return loadConfig(undefined, folder);
  }
  refusals(loading, [
    [
      "import '../client/gone.js'; export default {};",
      "FOLDER/durable-rag.config.ts cannot be loaded: Cannot find module '../client/gone.js'\nRequire stack:\n- FOLDER/durable-rag.config.ts",
    ],
    [
      'export default {',
      'FOLDER/durable-rag.config.ts cannot be loaded: ParseError: Unexpected token  \n FOLDER/durable-rag.config.ts:1:16',
    ],
    [
      'export const config = {};',
      'FOLDER/durable-rag.config.ts: export default defineConfig({ ... }) is missing.',
    ],
    [
      'export default { metods: [] };',
      'FOLDER/durable-rag.config.ts: metods: there is no such field; did you mean methods?',
    ],
    [
      'export default { limits: { concurency: 3 } };',
      'FOLDER/durable-rag.config.ts: limits.concurency: there is no such field; did you mean concurrency?',
    ],
    [
      "export default { limits: { concurrency: 'all' } };",
      'FOLDER/durable-rag.config.ts: limits.concurrency: must be a whole number, at least 1, or auto, or an object with memory, cpu, not "all"',
    ],
    [
      "export default { only: ['model'] };",
      'FOLDER/durable-rag.config.ts: only.0: must be one of questions, models, retrieval, not "model"; did you mean models?',
    ],
    [
      'export default { defaultModel: 3 };',
      'FOLDER/durable-rag.config.ts: defaultModel: must be text that is not empty, not 3',
    ],
    [
      'export default { metrics: {} };',
      'FOLDER/durable-rag.config.ts: metrics: must be a list, not an object',
    ],
  ]);
});

describe('metrics of your own', () => {
  const short = defineMetric({
    name: 'short',
    title: 'Short',
    score: ({ answer }) => answer.length < 10,
  });
  const tone = defineMetric({
    from: 'rubric',
    name: 'tone',
    title: 'Tone',
    prompt: { name: 'tone', text: 'Is this polite? {{answer}}' },
    scale: 'yesNo',
  });
  refusals(
    (...metrics: object[]) => metricRegistry(metrics as never),
    [
      [{ ...short, name: 'em' }, 'There is a built-in metric "em"; rename yours.'],
      [{ ...short, name: 'oracleEm' }, 'There is a built-in metric "oracleEm"; rename yours.'],
      [
        { ...short, name: 'recall@7' },
        '"recall@7" cannot name a metric: it must be letters, digits, "_" or "-", beginning with a letter.',
      ],
      [
        { ...short, name: 'two words' },
        '"two words" cannot name a metric: it must be letters, digits, "_" or "-", beginning with a letter.',
      ],
      [
        { ...tone, scale: { from: 5, to: 5 } },
        'The scale of the metric "tone" must be "yesNo", or numbers from 0 to 1000 with "to" greater than "from".',
      ],
      [
        { ...tone, scale: { from: Number.NaN, to: 5 } },
        'The scale of the metric "tone" must be "yesNo", or numbers from 0 to 1000 with "to" greater than "from".',
      ],
    ],
  );
  refusals(
    () => metricRegistry([short, { ...tone, name: 'short' }]),
    [['There are two metrics named "short"; rename one.']],
  );
  const own = metricRegistry([short, tone]);
  refusals(
    (name: string) => chosenMetrics({ metrics: [name] }, own),
    [
      ['shrt', 'Bad input. metrics: there is no metric "shrt"; did you mean short?'],
      ['tone', 'Bad input. metrics: "tone" needs a judge, and none is named'],
      ['llmAccuracy', 'Bad input. metrics: "llmAccuracy" needs a judge, and none is named'],
    ],
  );
  refusals(
    (name: string) => chosenMetrics({ metrics: [name] }, metricRegistry()),
    [['short', 'Bad input. metrics: there is no metric "short"; there are llmAccuracy']],
  );
});

describe('the address of a search of your own', () => {
  refusals(
    (url: string) => httpRetriever({ url }),
    [
      [
        'localhost:80',
        'The url of a retriever is not an http(s) URL. Give one like http://127.0.0.1:8080/search, and write special characters of its password as %2F for /, %25 for % and so on.',
      ],
      [
        'ftp://there',
        'The url of a retriever is not an http(s) URL. Give one like http://127.0.0.1:8080/search, and write special characters of its password as %2F for /, %25 for % and so on.',
      ],
      [
        'http://me:12/3@there/search',
        'The url of a retriever is not an http(s) URL. Give one like http://127.0.0.1:8080/search, and write special characters of its password as %2F for /, %25 for % and so on.',
      ],
    ],
  );
});
