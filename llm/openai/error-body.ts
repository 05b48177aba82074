import { jsonIn } from '../../core/canonical-json.js';

/** Brings the error bodies of all servers into the form that the `openai` client keeps. */

type Fetch = typeof fetch;

/**
 * Returns a fetch whose error answers hold the whole body in the envelope `{ error }`.
 *
 * The client keeps nothing of a JSON error that is beside it, and with it the reason would be lost:
 * vLLM and Mistral send the fields without the envelope, FastAPI `{ detail }`, Ollama a string.
 */
export function withReadableErrors(inner: Fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.ok || response.body === null) return response;
    const text = await response.text().catch(() => '');
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The text may change its length.
    headers.delete('content-length');
    return new Response(enveloped(text), { status, statusText, headers });
  };
}

/** Puts a whole JSON body into the envelope; any other text is returned as it is. */
export function enveloped(text: string): string {
  const body = jsonIn(text);
  return body === undefined ? text : JSON.stringify({ error: body });
}
