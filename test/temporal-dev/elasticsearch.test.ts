/** What Elasticsearch is started from: Maven's repositories, Java, and another user for root. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../../temporal-dev/artifacts.js';
import { findElasticsearch, unprivilegedPlace } from '../../temporal-dev/elasticsearch.js';
import { mavenRepository, obtainArtifact } from '../../temporal-dev/fetch.js';
import { findJava } from '../../temporal-dev/java.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/listening.js';
import { artifactOf, context, sha256, zipOf } from './support.js';

describe('an artifact of Maven', () => {
  const server = Buffer.from('the server');
  const archive = zipOf({
    'thing-1/lib/thing.jar': server,
    'thing-1/bin/thing': Buffer.from('#!/bin/sh'),
    'other/file': Buffer.from('not wanted'),
  });
  const from = 'org.example.things:thing:1:zip';
  const thing: Artifact = {
    ...artifactOf(archive, [{ kind: 'maven', from: [from] }]),
    file: 'lib/thing.jar',
    folder: 'thing-1/',
  };
  const path = '/maven2/org/example/things/thing/1/thing-1.zip';

  test('is fetched from the mirror and unpacked', async () => {
    const url = await serve(({ url: asked }, response) => {
      if (asked === path) response.end(archive);
      else response.writeHead(404).end();
    });
    const at = await context({ env: { PATH: '', MAVEN_MIRROR_URL: `${url}/maven2/` } });
    const file = await obtainArtifact(thing, at);
    expect(await readFile(file)).toEqual(server);
    const folder = dirname(dirname(file));
    expect((await readdir(folder)).sort()).toEqual(['.verified', 'bin', 'lib']);
    expect(at.reporter.lines[0]).toContain('from 127.0.0.1 to ');
  });

  test('that is another archive is not unpacked', async () => {
    const other = zipOf({ 'thing-1/lib/thing.jar': server });
    const url = await serve((_, response) => response.end(other));
    const at = await context({ env: { PATH: '', MAVEN_MIRROR_URL: url } });
    await expect(obtainArtifact(thing, at)).rejects.toThrow(
      `the downloaded file is not the pinned one (sha256 ${sha256(other)}, expected ${sha256(archive)})`,
    );
    expect(await readdir(join(at.home, 'artifacts'))).toEqual([]);
  });
});

describe("Maven's repository", () => {
  const central = 'https://repo1.maven.org/maven2';
  const mirror = (of: string) =>
    `<settings><mirrors><mirror><id>m</id><mirrorOf>${of}</mirrorOf>\n<url> http://m/repo/ </url></mirror></mirrors></settings>`;

  test.each<[string, string, string]>([
    ['none', '', central],
    ['a mirror of everything', mirror('*'), 'http://m/repo'],
    ['a mirror of Central', mirror('other, central'), 'http://m/repo'],
    ['a mirror of something else', mirror('other'), central],
    ['a mirror of all but Central', mirror('*,!central'), central],
    ['a mirror in a comment', `<!-- ${mirror('*')} -->`, central],
  ])('with %s in settings.xml', async (_, settings, expected) => {
    const HOME = await temporaryFolder();
    await mkdir(join(HOME, '.m2'));
    await writeFile(join(HOME, '.m2', 'settings.xml'), settings);
    expect(await mavenRepository({ HOME })).toBe(expected);
    expect(await mavenRepository({ HOME, MAVEN_MIRROR_URL: 'http://other/' })).toBe('http://other');
  });
});

describe('a Java', () => {
  async function home(release: string): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'release'), release);
    return folder;
  }

  test('is the first that is new enough, and not too new', async () => {
    const homes = [
      '/none',
      await home('JAVA_VERSION="1.8.0_402"\n'),
      await home('JAVA_VERSION="17.0.15"\n'),
      await home('JAVA_VERSION="27"\n'),
      await home('JAVA_VERSION="21.0.5"\nMODULES="java.base jdk.incubator.vector jdk.net"\n'),
      await home('JAVA_VERSION="25"\n'),
    ];
    expect(await findJava(homes)).toEqual({ home: homes[4], version: '21.0.5', vectors: true });
    expect(await findJava(homes.slice(5))).toMatchObject({ version: '25', vectors: false });
    expect(await findJava(homes.slice(0, 4))).toBeUndefined();
  });
});

test('root runs it as another user, where that one may go', async () => {
  const folder = await temporaryFolder();
  const { home, user } = await unprivilegedPlace(folder);
  if (process.getuid?.() !== 0) {
    expect({ home, user }).toEqual({ home: folder, user: undefined });
    return;
  }
  expect(user?.uid).toBeGreaterThan(0);
  expect(home).not.toBe(folder);
  expect((await stat(dirname(home))).mode & 0o001).toBe(1);
});

describe('findElasticsearch', () => {
  test('starts none where one is configured', async () => {
    const at = await context({ env: { PATH: '', ELASTICSEARCH_URL: 'http://there' } });
    expect(await findElasticsearch(at)).toBeUndefined();
    expect(at.reporter.lines).toEqual([]);
  });

  test('says so when the port belongs to something else', async () => {
    const port = new URL(await serve((_, response) => response.end('hello'))).port;
    const at = await context({ env: { PATH: '', DURABLE_RAG_ELASTICSEARCH_PORT: port } });
    await expect(findElasticsearch(at)).rejects.toThrow(
      `Port ${port} is in use by something that is not Elasticsearch.`,
    );
  });

  test('uses the one that runs', async () => {
    const url = await serve((_, response) =>
      response.setHeader('x-elastic-product', 'Elasticsearch').end('{}'),
    );
    const env = { PATH: '', DURABLE_RAG_ELASTICSEARCH_PORT: new URL(url).port };
    const at = await context({ env });
    expect(await findElasticsearch(at)).toBeUndefined();
    expect(at.reporter.lines).toEqual([`Elasticsearch: ${url} (was already running)`]);
  });
});
