import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { packageRoot } from '../stores/package-root.js';
import { ELASTICSEARCH, JAVA_COMPILER } from './artifacts.js';
import { type FetchContext, obtainArtifact } from './fetch.js';
import { stdoutOf } from './find-program.js';
import type { Java } from './java.js';
import { reasonOf, SetupError } from './setup-error.js';

const CLASS = 'durablerag/EnglishAnalyzerFactory';
const SOURCE = join('temporal-dev', 'EnglishAnalyzerFactory.java');
/** Libraries that the class refers to. */
const LIBRARIES = /^(elasticsearch-plugin-(analysis-)?api|lucene-(core|analysis-common))-.*\.jar$/;

/**
 * Compiles a plugin with the analyzer "english" and installs it into an Elasticsearch distribution,
 * unless it is already installed. Elastic's minimal distribution lacks that analyzer. Downloads the
 * compiler if it is missing.
 *
 * @param distribution Folder of the Elasticsearch distribution.
 * @throws {SetupError} if the compiler cannot be downloaded, or the plugin cannot be compiled.
 */
export async function installEnglishAnalyzer(
  distribution: string,
  java: Java,
  context: FetchContext,
): Promise<void> {
  const plugin = join(distribution, 'plugins', 'english');
  if ((await readdir(plugin).catch(() => [])).length > 0) return;
  const compiler = await obtainArtifact(JAVA_COMPILER, context);
  const staging = await mkdtemp(join(distribution, 'english-'));
  try {
    const compiled = join(staging, 'classes', `${CLASS}.class`);
    await compile(compiler, java, distribution, join(staging, 'classes'));
    const ready = join(staging, 'plugin');
    await mkdir(ready);
    const jar = zipSync({ [`${CLASS}.class`]: await readFile(compiled) });
    await writeFile(join(ready, 'english.jar'), jar);
    await writeFile(join(ready, 'stable-plugin-descriptor.properties'), DESCRIPTOR);
    await writeFile(join(ready, 'named_components.json'), COMPONENTS);
    await mkdir(join(distribution, 'plugins'), { recursive: true });
    // Another start may have been quicker: its plugin is the same.
    await rename(ready, plugin).catch(() => {});
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const DESCRIPTOR = `name=english
description=The analyzer "english" of a full Elasticsearch
version=1
elasticsearch.version=${ELASTICSEARCH.version}
java.version=21
`;

const COMPONENTS = JSON.stringify({
  'org.elasticsearch.plugin.analysis.AnalyzerFactory': { english: CLASS.replace('/', '.') },
});

async function compile(compiler: string, java: Java, distribution: string, into: string) {
  const folder = join(distribution, 'lib');
  const libraries = (await readdir(folder)).filter((name) => LIBRARIES.test(name));
  const classpath = libraries.map((name) => join(folder, name)).join(':');
  const source = join(packageRoot(), SOURCE);
  const args = ['-jar', compiler, '-21', '-d', into, '-cp', classpath, source];
  try {
    await stdoutOf(join(java.home, 'bin', 'java'), args);
  } catch (error) {
    const what = 'The analyzer for Elasticsearch could not be compiled';
    throw new SetupError(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}
