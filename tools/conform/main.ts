// `npm run conform -- <folder>` (CONTRIBUTING.md): compares our client, sandbox and tables of codes with the provider's OpenAPI
// files. Exits with 1 if they differ, with 2 if the folder is unusable.
import { FolderError, readContract } from './contract.js';
import { reportOn } from './report.js';
import { exercise } from './exercise.js';

const [folder, ...others] = process.argv.slice(2);
try {
  if (folder === undefined || others.length > 0)
    throw new FolderError('expected one folder of OpenAPI files: npm run conform -- <folder>');
  const contract = await readContract(folder);
  const { text, isClean } = reportOn(contract, await exercise(contract));
  console.log(text);
  process.exitCode = isClean ? 0 : 1;
} catch (error) {
  if (!(error instanceof FolderError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
