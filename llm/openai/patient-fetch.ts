import { type Dispatcher, getGlobalDispatcher } from 'undici';

/**
 * Fetch ends after 300 s without a byte; this one after `ms`. It uses the dispatcher of the
 * process, so a proxy stays in use.
 */
export function patientFetch(ms: number): typeof fetch {
  const limits = { headersTimeout: ms, bodyTimeout: ms };
  const patient: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch({ ...options, ...limits }, handler);
  // Of the process at the time of the call, and known to fetch though not to its types.
  return (url, init) =>
    fetch(url, { ...init, dispatcher: getGlobalDispatcher().compose(patient) } as object);
}
