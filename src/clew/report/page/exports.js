// Taking a trace elsewhere: SVG and PNG of the chart, Mermaid, PlantUML, JSON, and a page of its own.

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];

// A picture that looks the same without the page's style sheet.
export function standaloneSvg(picture) {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, index) => {
    const look = getComputedStyle(original);
    for (const name of LOOKS) {
      const value = look.getPropertyValue(name);
      if (value && value !== "none") copies[index].setAttribute(name, value);
      else if (value === "none") copies[index].setAttribute(name, "none");
    }
    copies[index].removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

export async function pngOf(picture, scale = 2) {
  const text = standaloneSvg(picture);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  const width = Number(picture.getAttribute("width"));
  const height = Number(picture.getAttribute("height"));
  const most = 16000; // what browsers draw
  const used = Math.min(scale, most / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * used);
  canvas.height = Math.round(height * used);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The forms a view can be saved in. `fetched`: asks a server for a form; without one the view has them itself.
export function exportsOf(view, chart, fetched) {
  const name = (view.title.split("/").pop() || "trace").replace(/\.[^.]*$/, "");
  const text = (form) => (fetched ? fetched(form) : Promise.resolve(view.exports[form]));
  const forms = [
    ["SVG", "the sequence chart", async () => save(`${name}.svg`, standaloneSvg(chart.picture), "image/svg+xml")],
    ["PNG", "the sequence chart", async () => save(`${name}.png`, await pngOf(chart.picture), "image/png")],
  ];
  if (fetched || view.exports) {
    forms.push(["Mermaid", "a sequence diagram", async () => save(`${name}.mmd`, await text("mermaid"), "text/plain")]);
    forms.push(["PlantUML", "a sequence diagram", async () => save(`${name}.puml`, await text("plantuml"), "text/plain")]);
    forms.push(["JSON", "clew.trace/1, which can be replayed", async () => {
      const found = await text("trace");
      save(`${name}.json`, typeof found === "string" ? found : JSON.stringify(found, null, 1), "application/json");
    }]);
  }
  if (fetched) forms.unshift(["HTML", "this view as one file", async () => save(`${name}.html`, await text("html"), "text/html")]);
  return forms;
}
