/** Where Maven artifacts come from: the mirror that Maven itself would use, else Maven Central. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CENTRAL = 'https://repo1.maven.org/maven2';

/**
 * The address of an artifact, in the layout that every Maven repository has.
 *
 * @param coordinates `group:artifact:version:extension`.
 */
export async function mavenUrl(coordinates: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [group = '', artifact, version, extension] = coordinates.split(':');
  const folder = [...group.split('.'), artifact, version].join('/');
  return `${await mavenRepository(env)}/${folder}/${artifact}-${version}.${extension}`;
}

/** MAVEN_MIRROR_URL, else the mirror of Central in the user's settings.xml, else Central. */
export async function mavenRepository(env: NodeJS.ProcessEnv): Promise<string> {
  const settings = join(env.HOME || homedir(), '.m2', 'settings.xml');
  const mirror =
    env.MAVEN_MIRROR_URL || centralMirror(await readFile(settings, 'utf8').catch(() => ''));
  return (mirror ?? CENTRAL).replace(/\/+$/, '');
}

/** The first mirror that stands for Central, as Maven reads `mirrorOf`. */
function centralMirror(settings: string): string | undefined {
  const mirrors = settings
    .replaceAll(/<!--.*?-->/gs, '')
    .matchAll(/<mirror>(?<mirror>.*?)<\/mirror>/gs);
  for (const { groups } of mirrors) {
    const field = (name: string) =>
      new RegExp(`<${name}>\\s*(.*?)\\s*</${name}>`, 's').exec(groups?.mirror ?? '')?.[1];
    const of = (field('mirrorOf') ?? '').split(',').map((one) => one.trim());
    const stands = of.some((one) =>
      ['*', 'central', 'external:*', 'external:http:*'].includes(one),
    );
    if (stands && !of.includes('!central')) return field('url');
  }
  return undefined;
}
