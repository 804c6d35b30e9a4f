import { fetchedAgreement, nothingNew } from './provider.js';
import { SECOND, inVirtualTime } from './virtual.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';

export async function pending(show: (uid: string) => Fetched<AgreementSnapshot>) {
  const lookUps: number[] = [];
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => {
      lookUps.push((Date.parse(scene.now()) - begunMs) / SECOND);
      return Promise.resolve(show(uid));
    },
    watchAgreement: () => Promise.reject(nothingNew('500h')),
  });
  const begunMs = Date.parse(scene.now());
  return { scene, lookUps, agr: await scene.agreement() };
}
