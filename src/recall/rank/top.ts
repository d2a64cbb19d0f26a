/** Places of the `most` largest values, largest first. One pass and a small heap: the list may be long and almost all of it is left out. */
export function topPlaces(values: ArrayLike<number>, most: number): number[] {
  const heap: number[] = [];
  const value = (at: number): number => values[heap[at] as number] as number;
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const least = left + 1 < heap.length && value(left + 1) < value(left) ? left + 1 : left;
      if (value(at) <= value(least)) return;
      swap(at, least);
      at = least;
    }
  };
  for (let place = 0; place < values.length; place++) {
    if (heap.length < most) {
      heap.push(place);
      for (let at = heap.length - 1; at > 0 && value(at) < value((at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
    } else if (most > 0 && (values[place] as number) > value(0)) {
      heap[0] = place;
      sink();
    }
  }
  return heap.toSorted((a, b) => (values[b] as number) - (values[a] as number) || a - b);
}
