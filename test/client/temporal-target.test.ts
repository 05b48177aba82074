/** The settings of docs/deploy.md reach the connection. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporalTarget } from '../../client/temporal-target.js';
import { temporaryFolder } from '../support/folder.js';

const folder = await temporaryFolder();

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const bytes = (text: string) => new TextEncoder().encode(text);

const CLOUD = 'eu-central-1.aws.api.temporal.io:7233';

it('connects with an API key over TLS', () => {
  const target = temporalTarget({
    TEMPORAL_ADDRESS: CLOUD,
    TEMPORAL_NAMESPACE: 'qa.a1b2c',
    TEMPORAL_API_KEY: 'key',
    // Empty ones count as not set.
    TEMPORAL_TLS: '',
    TEMPORAL_PROFILE: '',
  });
  expect(target).toEqual({
    namespace: 'qa.a1b2c',
    connectConfig: { address: CLOUD, apiKey: 'key', tls: true },
  });
});

it('connects with a certificate of its own, an authority and another name of the server', () => {
  const { connectConfig } = temporalTarget({
    TEMPORAL_ADDRESS: 'qa.a1b2c.tmprl.cloud:7233',
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', 'certificate'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', 'private'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', 'authority'),
    TEMPORAL_TLS_SERVER_NAME: 'frontend',
  });
  expect(connectConfig.apiKey).toBeUndefined();
  expect(connectConfig.tls).toMatchObject({
    serverNameOverride: 'frontend',
    serverRootCACertificate: bytes('authority'),
    clientCertPair: { crt: bytes('certificate'), key: bytes('private') },
  });
});

it('takes a profile of the configuration file, and the environment before it', () => {
  const config = file(
    'temporal.toml',
    '[profile.cloud]\naddress = "one:7233"\nnamespace = "qa"\napi_key = "key"\n',
  );
  const env = { TEMPORAL_CONFIG_FILE: config, TEMPORAL_PROFILE: 'cloud' };
  expect(temporalTarget(env)).toMatchObject({
    namespace: 'qa',
    connectConfig: { address: 'one:7233', apiKey: 'key', tls: true },
  });
  expect(temporalTarget({ ...env, TEMPORAL_NAMESPACE: 'other' }).namespace).toBe('other');
});

it('says what is wrong with a profile, and where to look', () => {
  const env = { TEMPORAL_CONFIG_FILE: file('empty.toml', ''), TEMPORAL_PROFILE: 'missing' };
  expect(() => temporalTarget(env)).toThrow(/missing.*TEMPORAL_PROFILE/s);
});

it('is this machine where nothing is set', () => {
  const config = file('none.toml', '[profile.default]\n');
  expect(temporalTarget({ TEMPORAL_CONFIG_FILE: config })).toEqual({
    namespace: 'default',
    connectConfig: { address: '127.0.0.1:7233' },
    port: 7233,
  });
});
