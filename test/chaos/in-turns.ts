export async function inTurns<Item>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const workOn = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
}
