// What `npm run build` runs last: makes the one file that holds all workflow code, so that workers start at once.
// Usage: node dist/worker/bundle.js
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const target = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
await writeFile(target, code);
console.log(`workflow bundle: ${Math.round(code.length / 1024)} kB`);
