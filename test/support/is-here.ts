/** Parts that a machine may lack, and how to get them. */
import { expect, test } from 'vitest';

export const GET = {
  chromium:
    'install chromium (apt-get install chromium, brew install chromium), or set CHROMIUM_PATH',
  openssl: 'install openssl',
  postgres: 'install postgresql (apt-get install postgresql, brew install postgresql)',
  python: 'install python3 and python3-venv',
  redis: 'install redis-server (apt-get install redis-server, brew install redis)',
};

/**
 * Returns whether there is a part, so that the tests that need it are declared. In the place of
 * those of a missing one stands a skipped test that says how to get it; it fails where the part is
 * expected.
 */
export function isHere<P>(part: P | undefined | false, get: string): part is P {
  if (part !== undefined && part !== false) return true;
  test.runIf(process.env.CI === 'true')('is there', () => expect.fail(`To run these: ${get}`));
  test.skip(`to run these: ${get}`, () => {});
  return false;
}
