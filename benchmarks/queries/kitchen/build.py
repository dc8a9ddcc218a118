"""Writes the kitchen graph (a restaurant guide with cookbooks) as neo4j-admin CSVs: python make.py"""
import csv, random, datetime as dt
from pathlib import Path
R = random.Random(9127); HERE = Path(__file__).resolve().parent
NODES, RELS, ID = {}, {}, {}
def node(label, name, **p):
    i=f"{label[:4].lower()}{len(NODES.setdefault(label,[]))+1}"; NODES[label].append((i,name,p)); ID[(label,name)]=i; return i
SEEN=set()
def rel(t,a,b,**p):
    if (t,a,b) in SEEN: return
    SEEN.add((t,a,b)); RELS.setdefault(t,[]).append((a,b,p))
def day(y0,y1): return (dt.date(y0,1,1)+dt.timedelta(R.randrange((y1-y0+1)*365))).isoformat()
for n,p,d in [("Old Quay","1010",1.2),("Mill Island","1014",2.1),("Saint Agnes","1020",3.4),("Copperfields","1033",5.8),("University Hill","1041",4.0),("Marketgate","1001",0.3),("Lower Gardens","1052",6.7),("Tannery Row","1007",0.9)]:
    node("Neighbourhood",n,postcode=p,kmFromCentre=d)
N=[x[0] for x in NODES["Neighbourhood"]]
for n,c,h in [("Italian","Europe","mild"),("Indian","Asia","hot"),("Japanese","Asia","mild"),("Mexican","North America","hot"),("French","Europe","mild"),("Hungarian","Europe","medium"),("Ethiopian","Africa","hot"),("Lebanese","Asia","medium"),("Peruvian","South America","medium"),("Nordic","Europe","mild")]:
    node("Cuisine",n,continent=c,spiciness=h)
for n,k in [("gluten",True),("milk",True),("eggs",True),("nuts",True),("peanuts",True),("fish",True),("shellfish",True),("soya",True),("sesame",True),("celery",True),("lupin",False)]:
    node("Allergen",n,mustBeDeclared=k)
ING="""flour;pantry;364;;gluten|butter;dairy;717;;milk|egg;dairy;143;;eggs|sugar;pantry;387;;|cream;dairy;340;;milk|milk powder;dairy;496;;milk|parmesan;dairy;431;;milk|mozzarella;dairy;280;;milk|mascarpone;dairy;429;;milk|yoghurt;dairy;61;;milk
feta;dairy;264;;milk|arborio rice;pantry;350;;|basmati rice;pantry;349;;|sushi rice;pantry;356;;|spaghetti;pantry;371;;gluten|lasagne sheets;pantry;360;;gluten,eggs|olive oil;pantry;884;;|sesame oil;pantry;884;;sesame|tahini;pantry;595;;sesame|soy sauce;pantry;53;;soya,gluten
tofu;protein;76;;soya|chickpeas;pantry;164;;|red lentils;pantry;358;;|black beans;pantry;341;;|beef shin;meat;201;;|beef fillet;meat;158;;|minced beef;meat;254;;|lamb shoulder;meat;235;;|chicken thigh;meat;209;;|bacon;meat;541;;
pork belly;meat;518;;|salmon;fish;208;;fish|sea bass;fish;97;;fish|cod;fish;82;;fish|tuna;fish;144;;fish|prawns;fish;99;;shellfish|mussels;fish;86;;shellfish|anchovies;fish;131;;fish|onion;vegetable;40;;|garlic;vegetable;149;;
tomato;vegetable;18;July;|potato;vegetable;77;;|carrot;vegetable;41;;|celeriac;vegetable;42;October;celery|celery stalk;vegetable;16;;celery|spinach;vegetable;23;April;|aubergine;vegetable;25;August;|red pepper;vegetable;31;August;|avocado;vegetable;160;;|sweetcorn;vegetable;86;August;
pumpkin;vegetable;26;October;|chanterelles;vegetable;32;September;|asparagus;vegetable;20;May;|beetroot;vegetable;43;October;|lemon;fruit;29;;|lime;fruit;30;;|apple;fruit;52;September;|pear;fruit;57;September;|strawberries;fruit;32;June;|cloudberries;fruit;51;August;
walnuts;nuts;654;October;nuts|almonds;nuts;579;;nuts|pistachios;nuts;560;;nuts|peanut butter;nuts;588;;peanuts|dark chocolate;pantry;546;;milk,soya|coffee;pantry;1;;|cumin;spice;375;;|sweet paprika;spice;282;;|berbere;spice;325;;|turmeric;spice;312;;
chilli;spice;40;;|ginger;spice;80;;|saffron;spice;310;;|cinnamon;spice;247;;|dill;herb;43;;|coriander;herb;23;;|basil;herb;23;;|nori;pantry;35;;|wasabi;spice;109;;|corn tortillas;pantry;218;;
white wine;drink;82;;|coconut milk;pantry;230;;|injera;pantry;166;;gluten|bulgur;pantry;342;;gluten|mint;herb;70;;"""
for x in ING.replace("\n","|").split("|"):
    n,c,k,s,al=x.split(";")
    i=node("Ingredient",n,category=c,kcalPer100g=int(k),inSeasonFrom=s or None,keepsDays=R.choice({"pantry":[365,720],"spice":[720],"meat":[3,4,5],"fish":[1,2],"dairy":[7,14,30],"vegetable":[5,7,10,21],"fruit":[5,10],"nuts":[180],"herb":[3,5],"drink":[365],"protein":[14]}[c]),isOrganic=R.random()<.4)
    for a in al.split(","):
        if a: rel("containsAllergen",i,ID[("Allergen",a)])
FIRST="Agathe Bela Carlotta Dorian Esme Fabrice Greta Hideo Imani Jorge Kamala Lorenz Mirela Nadim Odette Pascal Quirin Rosalba Saskia Tadeo Ursel Valentin Wanda Ximena Yara Zoe Anselm Brigid Cosima Dunja Eamon Flora Gustav Hanneke Ines Juno Kilian Lotte Marlon Nuria Ottilie".split()
LAST="Achebe Balogh Cavalli Dubois Ekstrom Ferreira Gallo Haddad Ishida Jansson Kovacs Laurent Molnar Nakamura Okonjo Pereira Quispe Rinaldi Sato Tessema Uhlmann Varela Weidling Yamane Zoller Ambrose Brandl Castell Desai Eberle Fontaine Grieve Holm Iyer Jessop Keane Lindholm Marchand Nassar Olrik Patel Rausch Selassie Thorne Vidal Wrangel".split()
used=set()
def person():
    while True:
        n=f"{R.choice(FIRST)} {R.choice(LAST)}"
        if n not in used: used.add(n); return n
CH=["Mirela Kovacs","Hideo Ishida","Rosalba Cavalli","Pascal Dubois","Imani Tessema","Kamala Desai","Nadim Haddad","Tadeo Quispe","Greta Ekstrom","Ximena Varela","Fabrice Marchand","Bela Molnar","Lorenz Gallo","Yara Nassar","Saskia Holm","Jorge Pereira","Odette Laurent","Anselm Brandl","Juno Nakamura","Flora Rinaldi","Kilian Wrangel","Nuria Vidal","Gustav Lindholm","Ines Fontaine"]
for i,n in enumerate(CH):
    used.add(n); b=R.randint(1956,1986)
    node("Chef",n,born=f"{b}-{R.randint(1,12):02d}-{R.randint(1,28):02d}",yearsOfExperience=2024-b-R.randint(18,24),isTelevisionCook=i in(1,3,5,9,20),hasMasterDiploma=R.random()<.6)
C=lambda n:ID[("Chef",n)]
# name, opened, seats, stars, price level, terrace, opens, closes, closed day, neighbourhood, cuisine, head chef
REST=[("The Copper Pan",1998,64,1,"expensive",True,"17:30","23:30","Monday",5,4,"Pascal Dubois"),("Trattoria Lucciola",2006,48,0,"moderate",True,"11:30","23:00","Tuesday",0,0,"Rosalba Cavalli"),
 ("Saffron Gate",2013,72,0,"moderate",False,"12:00","22:30",None,4,1,"Kamala Desai"),("Kaze",2017,22,2,"luxury",False,"18:00","23:00","Sunday",7,2,"Hideo Ishida"),("La Chinampa",2019,55,0,"cheap",True,"11:00","00:00",None,1,3,"Ximena Varela"),
 ("Blue Danube Inn",1974,110,0,"cheap",True,"10:00","22:00","Wednesday",3,5,"Mirela Kovacs"),("Addis Table",2015,40,0,"cheap",False,"12:00","22:00","Monday",2,6,"Imani Tessema"),("Cedar House",2009,58,0,"moderate",True,"12:00","23:30",None,5,7,"Nadim Haddad"),
 ("Limo y Sal",2021,36,1,"expensive",False,"18:00","23:30","Sunday",0,8,"Tadeo Quispe"),("Fjord & Field",2018,28,3,"luxury",False,"18:30","23:00","Monday",6,9,"Greta Ekstrom"),("Bistro Odette",2011,44,0,"moderate",True,"09:00","22:30","Tuesday",1,4,"Odette Laurent"),
 ("Osteria del Ponte",2001,52,0,"expensive",True,"12:00","23:00","Monday",1,0,"Lorenz Gallo"),("Paprika Kitchen",2022,30,0,"cheap",False,"11:00","21:00","Sunday",4,5,"Bela Molnar"),("Sushi Counter Nine",2020,9,1,"luxury",False,"19:00","22:30","Monday",7,2,"Juno Nakamura")]
rid=[]
for i,(n,o,s,st,pl,t,op,cl,cd,nb,cu,hc) in enumerate(REST):
    r=node("Restaurant",n,openedIn=o,seats=s,guideStars=st,priceLevel=pl,hasTerrace=t,opensAt=op,closesAt=cl,closedOn=cd,wheelchairAccess=R.random()<.55); rid.append(r)
    rel("locatedIn",r,N[nb]); rel("cooksInStyle",r,NODES["Cuisine"][cu][0]); rel("worksAt",C(hc),r,position="head chef",since=R.randint(max(o,2008),2024))
rest=CH[:]; hc={x[11] for x in REST}
for k,n in enumerate([c for c in CH if c not in hc]):
    j=R.randrange(14); rel("worksAt",C(n),rid[j],position=["sous chef","pastry chef","sous chef","commis"][k%4],since=R.randint(max(2012,REST[j][1]),2024))
OWN=[("Pascal Dubois",0,60),("Odette Laurent",0,40),("Odette Laurent",10,100),("Rosalba Cavalli",1,100),("Kamala Desai",2,50),("Hideo Ishida",3,75),("Hideo Ishida",13,30),("Ximena Varela",4,100),("Mirela Kovacs",5,80),("Bela Molnar",12,100),("Imani Tessema",6,100),("Nadim Haddad",7,55),("Yara Nassar",7,45),("Greta Ekstrom",9,90),("Lorenz Gallo",11,70),("Flora Rinaldi",11,30)]
for c,r,p in OWN: rel("owns",C(c),rid[r],sharePct=p)
for a,b,y in [("Bela Molnar","Mirela Kovacs",4),("Juno Nakamura","Hideo Ishida",7),("Odette Laurent","Pascal Dubois",5),("Lorenz Gallo","Rosalba Cavalli",3),("Flora Rinaldi","Rosalba Cavalli",2),("Yara Nassar","Nadim Haddad",6),("Gustav Lindholm","Greta Ekstrom",3),("Saskia Holm","Greta Ekstrom",5),("Fabrice Marchand","Pascal Dubois",8),("Tadeo Quispe","Hideo Ishida",2),("Ines Fontaine","Odette Laurent",3),("Kilian Wrangel","Pascal Dubois",1)]:
    rel("trainedUnder",C(a),C(b),years=y)
# recipe | dish name on menus | cuisine | creator | difficulty | prep | cook | servings | course | vegan | kcal | ingredients
REC="""Mushroom Risotto|Golden Chanterelle Risotto|0|Rosalba Cavalli|medium|15|30|4|main|n|610|arborio rice 320 g,chanterelles 300 g,onion 1 piece,white wine 120 ml,parmesan 80 g,butter 50 g
Spaghetti Carbonara|Carbonara Classica|0|Lorenz Gallo|easy|10|15|2|main|n|820|spaghetti 200 g,bacon 120 g,egg 3 piece,parmesan 60 g
Lasagne alla Nonna|Nonna's Lasagne|0|Rosalba Cavalli|medium|40|60|6|main|n|760|lasagne sheets 250 g,minced beef 500 g,tomato 800 g,mozzarella 250 g,onion 2 piece,carrot 1 piece,celery stalk 1 piece
Tiramisu|Tiramisu of the House|0|Flora Rinaldi|easy|25|0|8|dessert|n|450|mascarpone 500 g,egg 4 piece,sugar 100 g,coffee 300 ml,flour 120 g
Caprese Salad|Caprese|0|Flora Rinaldi|easy|10|0|2|starter|n|290|tomato 400 g,mozzarella 250 g,basil 20 g,olive oil 40 ml
Sea Bass in Salt|Sea Bass in a Salt Crust|0|Lorenz Gallo|hard|20|35|2|main|n|420|sea bass 800 g,lemon 1 piece,egg 2 piece,olive oil 30 ml
Chicken Tikka|Tikka of the Gate|1|Kamala Desai|medium|30|25|4|main|n|540|chicken thigh 700 g,yoghurt 200 g,ginger 20 g,garlic 15 g,cumin 6 g,chilli 4 g
Dal Tadka|Dal Tadka|1|Kamala Desai|easy|10|35|4|main|y|380|red lentils 300 g,onion 1 piece,garlic 12 g,turmeric 4 g,cumin 5 g,tomato 200 g,chilli 3 g*
Palak Paneer|Green Paneer|1|Kamala Desai|medium|20|25|4|main|n|430|spinach 600 g,cream 80 ml,onion 1 piece,garlic 10 g,cumin 4 g,yoghurt 150 g
Prawn Coconut Curry|Malabar Prawns|1|Kamala Desai|medium|20|20|4|main|n|510|prawns 500 g,coconut milk 400 ml,ginger 25 g,turmeric 5 g,chilli 5 g,onion 2 piece
Saffron Pilaf|Royal Pilaf|1|Ines Fontaine|easy|10|25|6|side|y|340|basmati rice 400 g,saffron 0.5 g,almonds 60 g*,onion 1 piece,cinnamon 2 g
Tuna Nigiri|Nigiri of Tuna|2|Hideo Ishida|hard|45|20|2|starter|n|260|sushi rice 200 g,tuna 180 g,wasabi 5 g,soy sauce 30 ml
Salmon Maki|Salmon Maki Rolls|2|Juno Nakamura|medium|40|20|3|starter|n|310|sushi rice 250 g,salmon 200 g,nori 4 sheet,avocado 1 piece*,soy sauce 30 ml
Miso Aubergine|Nasu Dengaku|2|Juno Nakamura|easy|10|20|2|side|y|240|aubergine 400 g,soy sauce 30 ml,sesame oil 15 ml,sugar 20 g
Crispy Tofu|Agedashi Tofu|2|Hideo Ishida|medium|15|10|2|starter|y|330|tofu 400 g,flour 40 g,ginger 10 g,soy sauce 40 ml
Braised Pork Belly|Kakuni|2|Hideo Ishida|hard|25|180|4|main|n|890|pork belly 900 g,soy sauce 100 ml,sugar 60 g,ginger 40 g,egg 4 piece
Guacamole|Stone-ground Guacamole|3|Ximena Varela|easy|10|0|4|starter|y|270|avocado 3 piece,lime 2 piece,coriander 15 g,onion 0.5 piece,chilli 3 g
Black Bean Tacos|Tacos Negros|3|Ximena Varela|easy|20|15|4|main|y|480|corn tortillas 12 piece,black beans 400 g,sweetcorn 150 g,lime 1 piece,coriander 10 g
Beef Tacos|Tacos de Res|3|Ximena Varela|medium|25|150|4|main|n|640|corn tortillas 12 piece,beef shin 700 g,onion 2 piece,chilli 8 g,cumin 4 g,lime 2 piece
Corn Soup|Sopa de Elote|3|Nuria Vidal|easy|15|25|4|starter|n|310|sweetcorn 500 g,cream 150 ml,onion 1 piece,chilli 2 g*
Chocolate Mole Cake|Mole Cake|3|Nuria Vidal|hard|40|45|10|dessert|n|560|dark chocolate 300 g,egg 6 piece,sugar 180 g,almonds 120 g,chilli 4 g,cinnamon 3 g
Boeuf Bourguignon|Beef in Red, Copper Style|4|Pascal Dubois|hard|45|210|6|main|n|720|beef shin 1200 g,bacon 150 g,carrot 3 piece,onion 2 piece,garlic 15 g,butter 40 g
Moules Marinieres|Mussels in White Wine|4|Odette Laurent|easy|20|10|2|main|n|390|mussels 1000 g,white wine 200 ml,butter 40 g,garlic 10 g,celery stalk 2 piece
Ratatouille|Ratatouille|4|Odette Laurent|easy|30|50|4|side|y|210|aubergine 300 g,red pepper 300 g,tomato 500 g,onion 2 piece,olive oil 60 ml
Tarte Tatin|Upside-down Apple Tart|4|Fabrice Marchand|medium|35|40|8|dessert|n|420|apple 1000 g,butter 180 g,sugar 160 g,flour 220 g
Creme Brulee|Burnt Cream|4|Fabrice Marchand|medium|20|50|6|dessert|n|480|cream 600 ml,egg 6 piece,sugar 120 g
Onion Soup|Gratinated Onion Soup|4|Pascal Dubois|easy|20|60|4|starter|n|350|onion 8 piece,butter 60 g,white wine 150 ml,parmesan 80 g,flour 30 g
Beef Wellington|Fillet Wellington|4|Kilian Wrangel|hard|60|50|6|main|n|980|beef fillet 1200 g,flour 350 g,butter 250 g,chanterelles 250 g,egg 2 piece
Beef Goulash|Grandmother's Goulash|5|Mirela Kovacs|medium|30|180|6|main|n|590|beef shin 1000 g,onion 6 piece,sweet paprika 30 g,red pepper 200 g,potato 500 g*,cumin 3 g
Chicken Paprikash|Paprikash with Dumplings|5|Mirela Kovacs|easy|20|50|4|main|n|640|chicken thigh 800 g,onion 2 piece,sweet paprika 20 g,cream 200 ml,flour 200 g,egg 2 piece
Fisherman's Broth|Halaszle|5|Bela Molnar|medium|30|60|4|starter|n|280|cod 600 g,onion 3 piece,sweet paprika 25 g,tomato 200 g,chilli 3 g*
Lecso|Lecso|5|Bela Molnar|easy|15|30|4|side|y|190|red pepper 600 g,tomato 400 g,onion 2 piece,sweet paprika 8 g
Walnut Pancakes|Pancakes Gundel Way|5|Mirela Kovacs|medium|25|20|6|dessert|n|520|flour 200 g,egg 3 piece,walnuts 200 g,sugar 100 g,dark chocolate 120 g,cream 100 ml
Doro Wat|Doro Wat|6|Imani Tessema|hard|40|120|6|main|n|670|chicken thigh 1000 g,onion 8 piece,berbere 40 g,egg 6 piece,butter 80 g,injera 6 piece
Misir Wat|Spicy Red Lentils|6|Imani Tessema|easy|10|40|4|main|y|390|red lentils 350 g,onion 2 piece,berbere 20 g,garlic 12 g,injera 4 piece
Gomen|Gomen Greens|6|Imani Tessema|easy|15|25|4|side|y|160|spinach 800 g,garlic 15 g,ginger 10 g,onion 1 piece
Hummus|Hummus Beiruti|7|Nadim Haddad|easy|15|0|6|starter|y|300|chickpeas 400 g,tahini 120 g,lemon 2 piece,garlic 8 g,olive oil 50 ml
Tabbouleh|Tabbouleh|7|Yara Nassar|easy|30|0|4|starter|y|220|bulgur 80 g,tomato 300 g,mint 30 g,lemon 2 piece,olive oil 60 ml
Slow Lamb Shoulder|Lamb under the Cedar|7|Nadim Haddad|hard|30|300|6|main|n|780|lamb shoulder 2000 g,yoghurt 200 g,garlic 25 g,cinnamon 4 g,lemon 1 piece
Baba Ghanoush|Smoked Aubergine Dip|7|Yara Nassar|easy|15|30|4|starter|y|200|aubergine 800 g,tahini 80 g,lemon 1 piece,garlic 6 g
Pistachio Baklava|Baklava|7|Yara Nassar|hard|60|45|20|dessert|n|390|pistachios 400 g,butter 250 g,flour 400 g,sugar 300 g,lemon 1 piece
Ceviche Clasico|Ceviche Limo|8|Tadeo Quispe|medium|25|0|4|starter|n|210|sea bass 600 g,lime 8 piece,onion 1 piece,chilli 5 g,coriander 15 g,sweetcorn 100 g*
Lomo Saltado|Lomo Saltado|8|Tadeo Quispe|medium|20|15|3|main|n|690|beef fillet 500 g,soy sauce 50 ml,tomato 300 g,onion 2 piece,potato 400 g,coriander 8 g
Causa Limena|Causa|8|Jorge Pereira|medium|35|25|6|starter|n|360|potato 1000 g,tuna 250 g,avocado 2 piece,lime 3 piece,egg 2 piece
Gravlax|Gravlax with Dill|9|Greta Ekstrom|medium|20|0|8|starter|n|250|salmon 1000 g,sugar 80 g,dill 60 g,lemon 1 piece
Baked Celeriac|Celeriac in Hay|9|Gustav Lindholm|medium|15|150|4|main|n|370|celeriac 1200 g,butter 100 g,walnuts 60 g*,apple 1 piece
Cod with Beetroot|Cod, Beetroot, Ash|9|Greta Ekstrom|hard|35|25|4|main|n|400|cod 700 g,beetroot 400 g,butter 80 g,dill 15 g
Cloudberry Cream|Cloudberries and Cream|9|Saskia Holm|easy|15|0|4|dessert|n|330|cloudberries 300 g,cream 300 ml,sugar 60 g
Asparagus Tart|May Tart|9|Saskia Holm|medium|25|40|6|starter|n|410|asparagus 600 g,flour 200 g,butter 120 g,egg 3 piece,cream 150 ml
Peanut Noodles||2|Juno Nakamura|easy|10|10|2|main|n|620|spaghetti 200 g,peanut butter 80 g,soy sauce 40 ml,lime 1 piece,chilli 3 g
Pumpkin Soup||4|Ines Fontaine|easy|15|30|4|starter|n|240|pumpkin 900 g,cream 150 ml,onion 1 piece,ginger 15 g
Pear Crumble||4|Ines Fontaine|easy|20|35|6|dessert|n|390|pear 1000 g,flour 180 g,butter 120 g,sugar 100 g,cinnamon 3 g
Spinach and Feta Pie||7|Nuria Vidal|medium|30|45|8|main|n|450|spinach 800 g,feta 300 g,flour 300 g,egg 3 piece,olive oil 60 ml
Strawberry Mousse||4|Fabrice Marchand|medium|25|0|6|dessert|n|280|strawberries 500 g,cream 300 ml,sugar 80 g,egg 2 piece""".split("\n")
dishes=[]
for line in REC:
    n,dn,cu,cr,df,pr,ck,sv,co,vg,kc,ing=line.split("|")
    r=node("Recipe",n,difficulty=df,prepMinutes=int(pr),cookMinutes=int(ck),servings=int(sv),testedOn=day(2015,2024) if n not in("Lecso","Pear Crumble") else None)
    rel("createdBy",r,C(cr)); rel("belongsToCuisine",r,NODES["Cuisine"][int(cu)][0])
    for x in ing.split(","):
        opt=x.endswith("*"); w=x.rstrip("*").split(); u=w[-1]; a=float(w[-2]); rel("usesIngredient",r,ID[("Ingredient"," ".join(w[:-2]))],amount=a,unit=u,isOptional=opt)
    if dn:
        d=node("Dish",dn,course=co,isVegan=vg=="y",calories=int(kc)); rel("preparedFrom",d,r); dishes.append((d,int(cu),co))
for a,b in [("Black Bean Tacos","Beef Tacos"),("Misir Wat","Dal Tadka"),("Lecso","Ratatouille"),("Chicken Paprikash","Beef Goulash"),("Spinach and Feta Pie","Palak Paneer"),("Corn Soup","Pumpkin Soup"),("Baba Ghanoush","Hummus")]:
    rel("variationOf",ID[("Recipe",a)],ID[("Recipe",b)])
base={"starter":9,"main":17,"dessert":8,"side":6}; lev={"cheap":.75,"moderate":1,"expensive":1.5,"luxury":2.4}
for d,cu,co in dishes:
    for j,x in enumerate(REST):
        if (x[10]==cu and R.random()<.92) or R.random()<.05:
            rel("serves",rid[j],d,priceEur=round(base[co]*lev[x[4]]*R.uniform(.75,1.35)*2)/2,onMenuSince=day(max(x[1],2016),2024),isHouseSpecial=x[10]==cu and R.random()<.2)
    if not any(b==d for a,b,_ in RELS["serves"]):
        j=[k for k,x in enumerate(REST) if x[10]==cu][0]; rel("serves",rid[j],d,priceEur=base[co]*1.0,onMenuSince=day(2022,2024),isHouseSpecial=False)
WINES=[("Chateau Belrive",2015,"red","Merlot","France",68.0),("Tokaji Aranyhegy",2017,"dessert","Furmint","Hungary",54.0),("Barolo Castelvero",2014,"red","Nebbiolo","Italy",92.0),("Riesling Steinhang",2021,"white","Riesling","Germany",31.0),("Chablis Vieux Pont",2020,"white","Chardonnay","France",47.0),("Malbec Tres Rios",2019,"red","Malbec","Argentina",28.0),("Verdejo Campana",2022,"white","Verdejo","Spain",22.0),("Rose de la Calanque",2023,"rose","Grenache","France",26.0),("Bekaa Reserve",2018,"red","Cinsault","Lebanon",39.0),("Prosecco Fontanella",2023,"sparkling","Glera","Italy",24.0),("Bull's Blood Egervar",2019,"red","Kekfrankos","Hungary",19.5),("Cremant du Nord",2020,"sparkling","Pinot Blanc","France",33.0)]
for n,v,c,g,l,p in WINES: node("Wine",n,vintage=v,colour=c,grape=g,countryOfOrigin=l,bottlePriceEur=p,bottlesInCellar=R.randint(3,140))
W=lambda k:NODES["Wine"][k][0]
for d,k in [("Golden Chanterelle Risotto",4),("Carbonara Classica",9),("Nonna's Lasagne",2),("Sea Bass in a Salt Crust",6),("Tikka of the Gate",3),("Malabar Prawns",3),("Nigiri of Tuna",11),("Kakuni",5),("Tacos de Res",5),("Beef in Red, Copper Style",0),("Mussels in White Wine",4),("Upside-down Apple Tart",1),("Fillet Wellington",0),("Grandmother's Goulash",10),("Paprikash with Dumplings",10),("Pancakes Gundel Way",1),("Lamb under the Cedar",8),("Baklava",1),("Ceviche Limo",6),("Lomo Saltado",5),("Gravlax with Dill",3),("Gravlax with Dill",11),("Cod, Beetroot, Ash",4),("May Tart",7),("Kakuni",0)]: rel("pairsWith",ID[("Dish",d)],W(k),recommendedBy=R.choice(["sommelier","chef","guests"]))
for r in rid:
    for k in R.sample(range(12),R.randint(2,6)): rel("stocksWine",r,W(k),glassPriceEur=round(NODES["Wine"][k][2]["bottlePriceEur"]/5*R.uniform(1,1.7)*2)/2)
SUP=[("Harbour Fish Hall",1961,150,False,0),("Greenleaf Growers",2004,60,True,6),("Butcher Ambrus & Daughters",1938,120,False,3),("Spice Caravan",1996,40,False,5),("Alpine Dairy Co-operative",1952,90,True,3),("Orchard Lane Fruit",1983,50,True,6),("Pantry Wholesale",1979,200,False,3),("Tokyo Imports",2010,110,False,7),("Forest Foragers",2016,80,True,6)]
cats=[["fish"],["vegetable","herb"],["meat"],["spice","nuts"],["dairy"],["fruit"],["pantry","drink"],["pantry","protein","spice"],["herb","vegetable"]]
for i,(n,f,m,s,nb) in enumerate(SUP):
    x=node("Supplier",n,foundedIn=f,minimumOrderEur=m,deliversOnSunday=s,deliveryVans=R.randint(1,14)); rel("locatedIn",x,N[nb])
    pr={"fish":22,"vegetable":4,"herb":18,"meat":14,"spice":45,"nuts":17,"dairy":9,"fruit":5,"pantry":5,"drink":8,"protein":7}
    for a,nm,p in NODES["Ingredient"]:
        if p["category"] in cats[i] and R.random()<(.9 if i<7 else .35): rel("sells",x,a,pricePerKgEur=round(pr[p["category"]]*R.uniform(.5,2)*(30 if nm=="saffron" else 1),2),daysToDeliver=R.randint(1,5))
    for j in R.sample(range(14),R.randint(4,8)): rel("supplies",x,rid[j],contractUntil=f"{R.choice([2025,2026,2027])}-{R.choice(['03-31','06-30','12-31'])}",discountPct=R.choice([0,0,2,5,8,10]))
BOOKS=[("Copper and Fire","2012-10-04",288,34.9,["Pascal Dubois"]),("The Lentil Year","2019-03-21",196,24.5,["Imani Tessema","Kamala Desai"]),("Raw, Cured, Smoked","2021-09-09",240,42.0,["Greta Ekstrom"]),("Nonna Knew Best","2008-05-15",312,29.0,["Rosalba Cavalli"]),("Seven Ways with Rice","2016-11-01",176,22.0,["Hideo Ishida","Rosalba Cavalli"]),("Sweet Endings","2023-04-12",224,31.5,["Fabrice Marchand"]),("A Paprika Childhood","2017-02-02",264,27.5,["Mirela Kovacs"]),("From Beirut to the Quay","2020-06-18",208,28.0,["Nadim Haddad"])]
BR=[["Boeuf Bourguignon","Onion Soup","Beef Wellington","Tarte Tatin"],["Dal Tadka","Misir Wat","Hummus","Gomen"],["Gravlax","Ceviche Clasico","Tuna Nigiri","Cod with Beetroot","Cloudberry Cream"],["Lasagne alla Nonna","Mushroom Risotto","Tiramisu","Caprese Salad","Spaghetti Carbonara"],["Mushroom Risotto","Saffron Pilaf","Tuna Nigiri","Salmon Maki"],["Tarte Tatin","Creme Brulee","Pear Crumble","Strawberry Mousse","Pistachio Baklava","Chocolate Mole Cake","Walnut Pancakes"],["Beef Goulash","Chicken Paprikash","Lecso","Walnut Pancakes","Fisherman's Broth"],["Hummus","Tabbouleh","Slow Lamb Shoulder","Baba Ghanoush","Pistachio Baklava"]]
for (n,p,pg,pr,au),rs in zip(BOOKS,BR):
    b=node("Cookbook",n,publishedOn=p,pages=pg,priceEur=pr,copiesSold=R.randint(8,260)*100 if n!="Sweet Endings" else None)
    for a in au: rel("writtenBy",b,C(a))
    for q,x in enumerate(rs): rel("containsRecipe",b,ID[("Recipe",x)],onPage=12+q*30+R.randint(0,25))
towns=["Corvenna","Corvenna","Corvenna","Port Ellis","Hallbruck","Saint Maur","Ostrey"]
G=[]
for i in range(90):
    g=node("Guest",person(),memberSince=day(2014,2024),homeTown=R.choice(towns),isVegetarian=R.random()<.2,loyaltyPoints=R.randint(0,4800) if R.random()>.06 else None,birthYear=R.randint(1940,1995)); G.append(g)
    if R.random()<.28: 
        for a in R.sample(range(10),R.choice([1,1,2])): rel("allergicTo",g,NODES["Allergen"][a][0],severity=R.choice(["mild","moderate","severe"]))
    for j in R.sample(range(14),R.choices([0,1,2,3,4],[1,3,4,3,2])[0]): rel("reviewed",g,rid[j],rating=min(10,max(1,round(R.gauss(6.4+REST[j][3]*.8,1.9)))),reviewedOn=day(2022,2024),wouldReturn=R.random()<.7)
for i in R.sample(range(90),24): rel("referredBy",G[i],G[R.choice([k for k in range(90) if k!=i])])
for i in range(95):
    b=node("Booking",f"B-{4100+i}",bookedFor=day(2024,2024),atTime=R.choice(["12:30","13:00","18:30","19:00","19:30","20:00","20:30"]),partySize=R.choices([1,2,3,4,5,6,8,12],[2,12,4,8,2,3,2,1])[0],status=R.choices(["honoured","cancelled","no-show"],[8,2,1])[0],occasion=R.choice(["birthday","anniversary","business",None,None,None]),depositEur=R.choice([None,10,20,50]))
    rel("madeBy",b,G[R.randrange(90)]); rel("atRestaurant",b,rid[R.randrange(13)])
for n,y,p in [("Golden Ladle",2023,"Fjord & Field"),("Golden Ladle",2024,"Kaze"),("Best Terrace",2024,"Cedar House"),("Best Value",2023,"Blue Danube Inn"),("Newcomer of the Year",2022,"Limo y Sal"),("Best Value",2024,"Addis Table")]:
    i=ID.get(("Prize",n)) or node("Prize",n,prizeMoneyEur={"Golden Ladle":10000,"Best Terrace":1500,"Best Value":2000,"Newcomer of the Year":5000}[n]); rel("awardedPrize",ID[("Restaurant",p)],i,inYear=y)
def typ(vs):
    v=[x for x in vs if x is not None]
    if all(isinstance(x,bool) for x in v): return ":boolean"
    if all(isinstance(x,int) for x in v): return ":int"
    if all(isinstance(x,(int,float)) for x in v): return ":float"
    if all(len(x)==10 and x[4]=="-" and x[7]=="-" for x in v): return ":date"
    return ""
s=lambda x:"" if x is None else str(x).lower() if isinstance(x,bool) else x
for f in HERE.glob("*.csv"): f.unlink()
for l,rows in NODES.items():
    ks=list(rows[0][2])
    with open(HERE/f"{l.lower()}.csv","w",newline="") as f:
        w=csv.writer(f,lineterminator="\n"); w.writerow(["id:ID","name",":LABEL"]+[k+("" if k=="postcode" else typ([r[2][k] for r in rows])) for k in ks])
        for i,n,p in rows: w.writerow([i,n,l]+[s(p[k]) for k in ks])
for t,rows in RELS.items():
    ks=list(rows[0][2])
    with open(HERE/f"rel_{t}.csv","w",newline="") as f:
        w=csv.writer(f,lineterminator="\n"); w.writerow([":START_ID",":END_ID",":TYPE"]+[k+typ([r[2][k] for r in rows]) for k in ks])
        for a,b,p in rows: w.writerow([a,b,t]+[s(p[k]) for k in ks])
ids=[i for r in NODES.values() for i,_,_ in r]; assert len(ids)==len(set(ids)),[i for i in ids if ids.count(i)>1][:5]
print({l:len(r) for l,r in NODES.items()},sum(map(len,NODES.values())),{t:len(r) for t,r in RELS.items()},sum(map(len,RELS.values())))
