// `npm run sbom`: writes .data/sbom.cdx.json, the CycloneDX list of all packages of a release, from package-lock.json, without installing them. Those
// for other systems are listed too; the image has a list of its own packages (Dockerfile).
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, '.data', 'sbom.cdx.json');

const Lock = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });
/** Marks of packages for development, and of the link to the Node of tools/node. */
const LEFT_OUT: ReadonlySet<string> = new Set(['dev', 'devOptional', 'link']);
const Manifest = z.looseObject({ devDependencies: z.unknown() });

/** `npm sbom --omit=dev` also leaves out what both a release and its development need, so development is removed first. */
async function write(folder: string): Promise<number> {
  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(ROOT, name), 'utf8'));
  const { devDependencies: _left, ...manifest } = Manifest.parse(await json('package.json'));
  const lock = Lock.parse(await json('package-lock.json'));
  const packages = Object.fromEntries(
    Object.entries(lock.packages).flatMap(([path, entry]) => {
      if (path === '') return [[path, { ...entry, devDependencies: undefined }]];
      const isOfRelease =
        path.startsWith('node_modules/') && !Object.keys(entry).some((key) => LEFT_OUT.has(key));
      return isOfRelease ? [[path, entry]] : [];
    }),
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const { stdout } = await execa('npm', args, { cwd: folder });
  await mkdir(join(ROOT, '.data'), { recursive: true });
  await writeFile(OUTPUT, `${stdout}\n`);
  return z.object({ components: z.array(z.unknown()) }).parse(JSON.parse(stdout)).components.length;
}

const folder = await mkdtemp(join(tmpdir(), 'payto-sbom-'));
try {
  console.log(`${OUTPUT}: ${await write(folder)} packages`);
} finally {
  await rm(folder, { recursive: true });
}
