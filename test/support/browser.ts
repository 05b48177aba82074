/** A headless Chromium, from what the machine has. */
import { type Browser, chromium } from 'playwright-core';
import { findProgram } from '../../temporal-dev/find-program.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** CHROMIUM_PATH, or what the PATH has; undefined where there is none. */
export async function findChromium(env = process.env): Promise<string | undefined> {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const found = await Promise.all(NAMES.map((name) => findProgram(name, env)));
  return found.find((path) => path !== undefined);
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // Its own sandbox does not work as root, as tests in containers run.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
