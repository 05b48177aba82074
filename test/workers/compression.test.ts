import { expect, test } from 'vitest';
import { compressionFor } from '../../workers/run-worker.js';

test.each(['127.0.0.1:7233', '127.1.2.3:80', 'localhost:7233', 'LOCALHOST', '[::1]:7233'])(
  'is left out on the same machine: %s',
  (address) => {
    expect(compressionFor(address)).toEqual({ grpcCompression: { codec: 'none' } });
  },
);

test.each([
  'temporal.example.com:7233',
  'localhost.example.com:7233',
  '10.0.0.1:7233',
  '127.example.com',
  '[::2]:7233',
  undefined,
])('is the SDK’s elsewhere: %s', (address) => {
  expect(compressionFor(address)).toEqual({});
});
