import { jsonIn } from '../../core/canonical-json.js';

/** Converts the error bodies of all servers into the form that the `openai` client keeps. */

type Fetch = typeof fetch;

/**
 * Returns a fetch that wraps the whole body of an error answer in the envelope `{ error }`.
 *
 * The client keeps only the envelope of a JSON error, and the reason would be lost: vLLM and
 * Mistral send the fields without an envelope, FastAPI `{ detail }`, Ollama a string.
 */
export function withReadableErrors(inner: Fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.ok || response.body === null) return response;
    const text = await response.text().catch(() => '');
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The length of the text may change.
    headers.delete('content-length');
    return new Response(enveloped(text), { status, statusText, headers });
  };
}

/** Wraps a JSON body in the envelope; any other text is returned unchanged. */
export function enveloped(text: string): string {
  const body = jsonIn(text);
  return body === undefined ? text : JSON.stringify({ error: body });
}
