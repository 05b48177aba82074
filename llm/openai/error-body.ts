/** What an error answer says, whichever form a server gives it. Pure. */
import { jsonIn } from '../../core/canonical-json.js';
import { type Fields, fields } from '../fields.js';
import type { ProviderAnswer } from '../provider-failure.js';

/** @param body Its text, or its JSON. */
export function readError(
  status: number,
  body: unknown,
  header: ProviderAnswer['header'],
): ProviderAnswer {
  const { code, type, param, message } = errorFields(body);
  return {
    ...{ status, code: textOf(code), type: textOf(type), param: textOf(param) },
    ...{ message: textOf(message), header },
  };
}

/**
 * Returns the fields of an error, with or without an envelope: vLLM and Mistral send none, FastAPI
 * `{ detail }`, Ollama a string, Google a list of one. What is no JSON is the message.
 */
function errorFields(body: unknown): Fields {
  const json = typeof body === 'string' ? jsonIn(body) : body;
  if (json === undefined) return { message: body };
  const [first = json] = Array.isArray(json) ? json : [json];
  const error = fields(first).error ?? first;
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const known = fields(error);
  const message = typeof known.message === 'string' ? known.message : (known.detail ?? error);
  return { ...known, message: typeof message === 'string' ? message : JSON.stringify(message) };
}

/** Servers send numbers or null where others have texts. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
