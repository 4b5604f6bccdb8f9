/** The word that differs from `text` by the fewest letters; null where none is like it. */
export function nearestOf(text: string, words: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = text.length / 4;
  for (const word of words) {
    const distance = distanceOf(text, word);
    if (distance > fewest) continue;
    if (distance === fewest && nearest !== null) continue;
    [nearest, fewest] = [word, distance];
  }
  return nearest;
}

/** How many letters have to be added, left out or replaced (Levenshtein's distance). */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[other.length]!;
}
