// The worker's workflow code: the bundle that the build made, or one made now from the sources in development.
// `node dist/worker/workflow-code.js` is what `npm run build` runs last: it makes that bundle, so that workers start at once.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../sealing/data-converter.js';
import type { WorkflowBundleOption } from '@temporalio/worker';

/** Where the build puts the bundle. */
const BUILT = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
/** The bundler needs the path of a file: .ts where we run from source, .js in what was built. */
const EARLY_EVENTS = fileURLToPath(
  new URL(`../workflows/entity/engine/early-events${extname(import.meta.url)}`, import.meta.url),
);

/**
 * Bundles the workflows that a module exports. Our modules are loaded once for all runs, instead of anew for each: that is most
 * of what a cached run weighs. So they hold no state: lint sees to variables, types to tables.
 */
export const bundleWorkflows = (workflowsPath: string): Promise<{ code: string }> =>
  bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [EARLY_EVENTS],
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => ({ ...config, optimization: { ...config.optimization, ...MERGED } }),
  });

/**
 * Our modules as one, without webpack's frame around each. The SDK's stay as they are: it keeps them apart by run through the
 * cache of modules. It freezes what a module exports, which is only what index.ts does then.
 */
const MERGED = { concatenateModules: { commonjs: false }, usedExports: true, providedExports: true } as const;

/** The bundle of `npm run build` where it exists; otherwise the workflows are bundled now, which takes seconds. */
export const workflowCode = async (): Promise<WorkflowBundleOption> =>
  existsSync(BUILT) ? { codePath: BUILT } : bundleWorkflows(SOURCE);

async function writeBundle(): Promise<void> {
  const { code } = await bundleWorkflows(fileURLToPath(new URL('../workflows/index.js', import.meta.url)));
  await writeFile(BUILT, code);
  console.log(`workflow bundle: ${Math.round(code.length / 1024)} kB`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBundle();
