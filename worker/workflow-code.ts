// The worker's workflow code: the bundle of the build, or in development one built now from the sources.
// `npm run build` ends with `node dist/worker/workflow-code.js`, which writes that bundle, so that workers start quickly.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DefaultLogger, bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../sealing/data-converter.js';

/** Where the build puts the bundle. */
const BUILT = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
/** The bundler needs a file path: .ts when running from source, .js in a build. */
const EARLY_EVENTS = fileURLToPath(
  new URL(`../workflows/on-temporal/early-events${extname(import.meta.url)}`, import.meta.url),
);

/**
 * Bundles the workflows that a module exports. Our modules are loaded once for all runs instead of once per run, which would
 * be most of the memory of a cached run. They must therefore hold no state; lint checks variables, types check tables.
 */
export const bundleWorkflows = (workflowsPath: string): Promise<{ code: string }> =>
  bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [EARLY_EVENTS],
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => {
      for (const rule of config.module?.rules ?? [])
        if (isCompiled(rule)) rule.use.options.jsc.target = 'es2023';
      return { ...config, optimization: { ...config.optimization, ...MERGED } };
    },
  });

/**
 * Merges our modules into one, without webpack's wrapper around each. The SDK's modules stay separate, because the SDK isolates
 * them by run through the module cache. It freezes the exports of a module, here only those of index.ts.
 */
const MERGED = { concatenateModules: { commonjs: false }, usedExports: true, providedExports: true } as const;

/**
 * The SDK compiles TypeScript down to ES2017, in which each spread of an object calls a slow function. The build compiles to ES2023 before, so the sources
 * of a development worker shall cost the same.
 */
const isCompiled = (rule: unknown): rule is z.infer<typeof Compiled> => Compiled.safeParse(rule).success;
const Compiled = z.object({
  use: z.object({ options: z.object({ jsc: z.object({ target: z.string() }) }) }),
});

/** The bundle of `npm run build` if it exists; otherwise bundles the workflows now, which takes seconds. */
export const workflowCode = async (): Promise<WorkflowBundleOption> =>
  existsSync(BUILT) ? { codePath: BUILT } : bundleWorkflows(SOURCE);

async function writeBundle(): Promise<void> {
  const { code } = await bundleWorkflows(fileURLToPath(new URL('../workflows/index.js', import.meta.url)));
  await writeFile(BUILT, code);
  console.log(`workflow bundle: ${Math.round(code.length / 1024)} kB`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBundle();
